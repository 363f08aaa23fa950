"""A session without a call says what is recorded of it, once, and shows the answer."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message
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
            "The agent made no call: all that is recorded is 1 step of its harness.",
            [],
            id="the-harness",
        ),
    ],
)
def test_what_is_recorded_is_said_once(parts: list[Part], headline: str, delivered: list[str]) -> None:
    made = diagnosed(*parts)
    assert made.diagnosis.headline == headline
    assert [entry.text for entry in made.diagnosis.lead if entry.part == "delivered"] == delivered
