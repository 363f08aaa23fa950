"""Where the values of an answer come from."""

from __future__ import annotations

import pytest

from tests.build import Part, call, diagnosed, edit, run, says, submit, user

ASKED = user("How many visitors did the park count, and what does a ticket cost?")


def _sentences(*parts: Part) -> list[str]:
    lead = diagnosed(*parts).diagnosis.lead
    return [statement.text for statement in lead if "last words" in statement.text]


@pytest.mark.parametrize(
    ("parts", "sentences"),
    [
        pytest.param(
            [ASKED, run("cat park.csv", "2021;48 112\n2022;53871\nticket 12.50"), says("It counted 53,871 visitors.")],
            ["`53,871` (step 1) of the last words is also in what the calls returned."],
            id="a figure with a comma that the result writes without",
        ),
        pytest.param(
            [ASKED, run("ls", "park.csv"), run("cat park.csv", "ticket 12.50"), says("A ticket costs $12.5.")],
            ["`$12.5` (step 2) of the last words is also in what the calls returned."],
            id="an amount written with other zeros",
        ),
        pytest.param(
            [ASKED, run("cat park.csv", "no such year"), says("It counted 53,871 visitors, as the table says.")],
            ["The last words name `53,871`, which no result and no message to the agent holds."],
            id="a figure that nothing returned",
        ),
        pytest.param(
            [ASKED, run("strings disk.img", "x\ncode{l0st_k3y}\ny"), says("The answer is code{l0st_k3y}")],
            ["`code{l0st_k3y}` (step 1) of the last words is also in what the calls returned."],
            id="a word with braces",
        ),
        pytest.param(
            [ASKED, call("fetch", {"page": 1}, "See the list."), says("Read https://park.example/list/7 for it.")],
            ["The last words name `https://park.example/list/7`, which no result and no message to the agent holds."],
            id="an address that nothing returned",
        ),
        pytest.param(
            [ASKED, run("strings disk.img", "x\ncode{l0st_k3y}\ny"), submit("code{l0st_k3y}")],
            ["`code{l0st_k3y}` (step 1) of the last words is also in what the calls returned."],
            id="a word that is handed in",
        ),
        pytest.param(
            [ASKED, run("strings disk.img", "the owner is l0st_k3y"), says("The answer is code{l0st_k3y}")],
            [],
            id="a word that is put into braces as the task wants it",
        ),
        pytest.param(
            [user("Is 53,871 right?"), run("cat park.csv", "a"), says("Yes, it counted 53871 visitors.")],
            [],
            id="a figure that the user named",
        ),
        pytest.param(
            [ASKED, run("cat park.csv", "rate 0.45218"), says("It rose by 45.2%.")],
            [],
            id="a percentage rounded from a result",
        ),
        pytest.param(
            [ASKED, run("cat park.csv", "none"), says("Since 2019 there are some 5,000 of them, 404 of them lost.")],
            [],
            id="a year, a round figure and a short one",
        ),
        pytest.param(
            [ASKED, run("cat park.csv", "none"), says("Set `LIMIT = 53871` to try it.\n```\nx = 98765\n```")],
            [],
            id="figures in code that the answer proposes",
        ),
        pytest.param(
            [ASKED, run("cat park.csv", None), says("It counted 53,871 visitors.")], [], id="a log without results"
        ),
        pytest.param(
            [ASKED, run("cat a.csv", "1"), run("cat b.csv", None), says("It counted 53,871 visitors.")],
            [],
            id="a result that isn't recorded",
        ),
        pytest.param(
            [ASKED, call("count", {"from": 53871}, "done"), says("I counted from 53871.")],
            [],
            id="a figure that the agent chose itself",
        ),
        pytest.param(
            [ASKED, run("cat park.py", "x"), edit("park.py", "1", "2"), says("It now counts 53,871 visitors.")],
            [],
            id="a session that changed code",
        ),
    ],
)
def test_values_of_the_answer(parts: list[Part], sentences: list[str]) -> None:
    assert _sentences(*parts) == sentences


def test_what_a_sub_agent_read_is_at_no_step_of_the_main_lane() -> None:
    theirs = run("cat park.csv", "2022;53871", lane="agent-1")
    assert _sentences(ASKED, run("ls", "park.csv"), theirs, says("It counted 53,871 visitors.")) == []
