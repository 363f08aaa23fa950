"""Calls that hand something in and come back with the user's words."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message
from analyzer.model.words import Status
from tests.build import Part, call, read, says, timeline, user

DEMAND = "The quay is missing, and put all depths into the table."
WRAPPED = f"[hand_in] Result:\n<answer>\n{DEMAND}\n</answer>"
PASTED = "Error: listen EADDRINUSE: address already in use :::9002"
FEEDBACK = "The user has provided feedback on the results.\n\nMore about the tides."


def handed_in(said: str, result: str) -> Part:
    return call("submit", {"report": said}, result, task_done=True)


def plan(result: str) -> Part:
    return call("exit_plan_mode", {"plan": "Chart the harbour."}, result)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([handed_in("Charted.", WRAPPED), user(DEMAND)], id="a demand in a wrapper"),
        pytest.param([handed_in("Charted.", DEMAND), user(DEMAND), says("Right.")], id="the bare demand"),
        pytest.param([handed_in("Charted.", FEEDBACK)], id="announced as the user's"),
        pytest.param([plan(WRAPPED), user(DEMAND)], id="a plan"),
        pytest.param([handed_in("Charted.", f"Result:\n{PASTED}"), user(PASTED)], id="an error that the user pasted"),
        pytest.param([handed_in("Charted.", "Done\nWhy no depths?"), user("Why no depths?")], id="a question"),
    ],
)
def test_the_users_answer_is_no_success(parts: list[Part]) -> None:
    action = timeline(*parts).actions[0]
    assert (action.status, action.failure) == (Status.UNKNOWN, None)
    assert "user" in (action.decided_by or "")


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([handed_in("Charted.", "Handed in."), user(DEMAND)], id="a demand that came later"),
        pytest.param([handed_in("Charted.", "Yes, perfect."), user("Yes, perfect.")], id="agreement"),
        pytest.param([handed_in("Charted the quay.", "Charted the quay."), user("the quay")], id="the agent's words"),
        pytest.param([plan("User has approved your plan. Start now."), user(DEMAND)], id="an approved plan"),
        pytest.param(
            [plan(f"List updated.\n{'quay ' * 60}\n{DEMAND}"), user(DEMAND)], id="a list, and the words below"
        ),
        pytest.param([read("log.md", FEEDBACK), user(FEEDBACK)], id="a file that holds the words"),
        pytest.param([handed_in("Charted.", WRAPPED), says("Hm."), user(DEMAND)], id="not said next"),
    ],
)
def test_other_results_are(parts: list[Part]) -> None:
    assert timeline(*parts).actions[0].status is Status.OK


INCORRECT = "Your submission was incorrect. Please go on."


@pytest.mark.parametrize(
    ("parts", "wrong"),
    [
        pytest.param([handed_in("9 m", "9 m"), Message("harness", INCORRECT)], True, id="by the program"),
        pytest.param([handed_in("9 m", "9 m"), user("That answer is wrong.")], True, id="by the user"),
        pytest.param([handed_in("9 m", "9 m"), user("The quay is wrong.")], False, id="about something else"),
        pytest.param([handed_in("9 m", "9 m"), user("Your submission was correct.")], False, id="right"),
        pytest.param([handed_in("9 m", "9 m"), says("Hm."), user(INCORRECT)], False, id="not said next"),
        pytest.param([handed_in("9 m", "9 m"), user(f"{INCORRECT} {'tide ' * 99}")], False, id="a long text"),
        pytest.param([read("log.md", "9 m"), user(INCORRECT)], False, id="nothing was handed in"),
    ],
)
def test_what_is_answered_as_wrong_is_no_success(parts: list[Part], *, wrong: bool) -> None:
    action = timeline(*parts).actions[0]
    assert (action.status is Status.UNKNOWN) is wrong
    assert (action.decided_by or "").startswith('answered "') is wrong
