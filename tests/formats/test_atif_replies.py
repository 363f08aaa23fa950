"""ATIF steps that keep what the user got apart from what the agent thought."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message
from tests.formats.atif_builders import Json, call, said, session_of

PLAN, REPLY = "The tram is full, so I offer the ferry.", "The ferry leaves at nine."


def spoken(*steps: Json) -> list[tuple[str, bool]]:
    session = session_of(said("user", "How do I get there?"), *steps)
    return [
        (event.text, event.thought)
        for event in session.events
        if isinstance(event, Message) and event.role == "assistant"
    ]


@pytest.mark.parametrize("flag", ["is_turn_complete", "turn_complete", "turn_is_over", "end_turn", "is_end_of_turn"])
@pytest.mark.parametrize("key", ["response", "reply", "final_response"])
def test_a_reply_beside_the_flag_is_what_the_user_got(flag: str, key: str) -> None:
    assert spoken(said("agent", PLAN, extra={flag: True, key: REPLY})) == [(PLAN, True), (REPLY, False)]


def test_the_plan_of_a_turn_that_goes_on_is_a_thought() -> None:
    step = said("agent", PLAN, tool_calls=[call("a")], extra={"is_turn_complete": False, "response": None})
    assert spoken(step) == [(PLAN, True)]


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"response": REPLY},
        {"response": {"id": "r1"}, "model": "m"},
        {"is_turn_complete": True},
        {"is_turn_complete": "yes", "response": REPLY},
        {"is_turn_complete": True, "response": None},
        {"is_turn_complete": True, "response": "  "},
        {"is_turn_complete": True, "response": PLAN},
        {"turns": True, "response": REPLY},
    ],
    ids=str,
)
def test_a_message_without_such_a_reply_is_what_was_said(extra: Json) -> None:
    assert spoken(said("agent", PLAN, extra=extra)) == [(PLAN, False)]
