"""Calls that are in a log twice, and calls that were made twice."""

from __future__ import annotations

import pytest

from analyzer.formats.loading.corrections import drop_recorded_again, forget_zero_counts
from analyzer.model.session import Event, Message, Session, Tokens, ToolCall, ToolResult, Usage

CALL = ToolCall("call-0001", "look", {"at": "lamp"})
ANSWER = ToolResult("call-0001", "It is broken.")


def again(**more: object) -> ToolCall:
    return ToolCall(**{"id": "call-0001", "name": "look", "arguments": {"at": "lamp"}, **more})  # type: ignore[arg-type]


def left(*events: Event) -> list[str]:
    session = Session("s", events=list(events))
    drop_recorded_again(session)
    return [type(event).__name__ for event in session.events]


@pytest.mark.parametrize(
    "events",
    [pytest.param([CALL, again(), ANSWER], id="before"), pytest.param([CALL, ANSWER, again()], id="behind its result")],
)
def test_a_call_that_is_written_down_again_is_one(events: list[Event]) -> None:
    assert left(*events) == ["ToolCall", "ToolResult"]


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([CALL, ANSWER, again(), ANSWER], id="each has a result"),
        pytest.param([CALL, again()], id="no result of any"),
        pytest.param([CALL, again(arguments={"at": "pump"}), ANSWER], id="other arguments"),
        pytest.param([CALL, again(name="mend"), ANSWER], id="another tool"),
        pytest.param([CALL, again(lane="scout"), ANSWER], id="another lane"),
        pytest.param([again(id="c1"), again(id="c1"), ToolResult("c1", "x")], id="ids that are counters"),
        pytest.param([again(id="REDACTED"), again(id="REDACTED"), ToolResult("REDACTED", "x")], id="ids taken out"),
        pytest.param([again(id=None), again(id=None), ToolResult(None, "x")], id="no ids"),
    ],
)
def test_calls_that_may_be_two_are_two(events: list[Event]) -> None:
    assert left(*events) == [type(event).__name__ for event in events]


def test_what_was_used_for_a_second_record_counts_for_the_first() -> None:
    session = Session("s", events=[CALL, again(usage=Usage(Tokens(3, 1))), ANSWER])
    drop_recorded_again(session)
    (call,) = session.calls()
    assert call.usage == Usage(Tokens(3, 1))


def test_counts_of_zero_throughout_are_no_counts() -> None:
    for tokens, events, kept in (
        (Tokens(0, 0), [CALL], Tokens()),
        (Tokens(0, 0, 0, 0), [Message("assistant", "Aye.")], Tokens()),
        (Tokens(0, 4), [CALL], Tokens(0, 4)),
        (Tokens(None, 0, 7), [CALL], Tokens(None, 0, 7)),
        (Tokens(0, 0), [Message("user", "Hello.")], Tokens(0, 0)),
    ):
        session = Session("s", events=list[Event](events), tokens=tokens)
        forget_zero_counts(session)
        assert session.tokens == kept, tokens
