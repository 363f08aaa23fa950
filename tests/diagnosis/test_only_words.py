"""A session without a call says what is recorded of it, once, and shows the answer."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Message, Tokens
from tests.build import Part, call, diagnosed, says, user

ASKED = user("How high is the tide?")


@pytest.mark.parametrize(
    ("parts", "headline", "delivered"),
    [
        pytest.param(
            [ASKED, says("It is 4 m.")],
            "No call of a tool is recorded: the agent only spoke (1 message).",
            ['The answer: "It is 4 m."'],
            id="answered",
        ),
        pytest.param(
            [ASKED, says("I look."), says("It is 4 m."), user("Thanks.")],
            "No call of a tool is recorded: the agent only spoke (2 messages).",
            [],
            id="the-user-speaks-last",
        ),
        pytest.param(
            [ASKED], "No call and no word of the agent is recorded, only what it was asked.", [], id="only-asked"
        ),
        pytest.param([], "Neither a call nor a word of the user or the agent is recorded.", [], id="nothing"),
        pytest.param(
            [Message("harness", "ls"), Message("harness", "gauge.md")],
            "Neither a call nor a word of the agent is recorded, only what the program around it took and showed.",
            [],
            id="the-users-own-shell",
        ),
        pytest.param(
            [ASKED, call("exit_cost", {}, "", harness=True)],
            "The agent made no call in the main lane.",
            [],
            id="the-harness",
        ),
    ],
)
def test_what_is_recorded_is_said_once(parts: list[Part], headline: str, delivered: list[str]) -> None:
    made = diagnosed(*parts)
    assert made.diagnosis.headline == headline
    assert [entry.text for entry in made.diagnosis.lead if entry.part == "delivered"] == delivered


@pytest.mark.parametrize(
    ("header", "cost"),
    [
        pytest.param({"cost_usd": 0.075}, ["$0.07."], id="money"),
        pytest.param(
            {"cost_usd": 0.5, "tokens": Tokens(19_923, 9)}, ["19 923 tokens in, 9 tokens out, $0.50."], id="all"
        ),
        pytest.param(
            {"cost_usd": 0.5, "started_at": 0.0, "ended_at": 90.0}, ["1 min 30 s, $0.50."], id="money and time"
        ),
        # Twins in which nothing was counted.
        pytest.param({}, [], id="nothing"),
        pytest.param({"cost_usd": 0.0, "tokens": Tokens(0, 0)}, [], id="zeros"),
        pytest.param({"started_at": 0.0, "ended_at": 90.0}, [], id="time alone"),
    ],
)
def test_what_words_alone_cost(header: dict[str, Any], cost: list[str]) -> None:
    made = diagnosed(ASKED, says("It is 4 m."), **header)
    assert [entry.text for entry in made.diagnosis.lead if entry.part == "cost"] == cost
