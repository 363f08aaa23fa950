"""Output tokens of one answer that can't be all of it make the sum a lower bound."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.session_facts import output_is_partial
from analyzer.model.session import Event, Message, Session, Tokens, ToolCall, ToolResult, Usage

WORDS = "The harbour is deep enough for both boats, and the tide is high. "
BACK = ToolResult("c", "4 m")
THEIRS = ToolCall("s", "look", {"at": "boats"}, lane="scout")


def used(tokens: int | None) -> Usage | None:
    return None if tokens is None else Usage(Tokens(90, tokens))


def says(text: str, tokens: int | None, *, thought: bool = False, lane: str = "main") -> Message:
    return Message("assistant", text, usage=used(tokens), thought=thought, lane=lane)


def calls(text: str, tokens: int | None, batch: str = "a") -> ToolCall:
    return ToolCall("c", "write", {"path": "a.md", "text": text}, usage=used(tokens), batch=batch)


def partial(*events: Event, total: int | None = None) -> bool:
    spent = [event.usage for event in events if isinstance(event, Message | ToolCall) and event.usage is not None]
    counted = sum(usage.tokens.output or 0 for usage in spent)
    return output_is_partial(Session("s", events=list(events), tokens=Tokens(900, counted if total is None else total)))


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([calls("x", 500), BACK, says(WORDS, 1)], id="the last words"),
        pytest.param([calls(WORDS * 9, 8), BACK, says(WORDS, 500)], id="what is sent to a tool"),
        pytest.param([says("Hi.", 500), says(WORDS, 1, lane="scout")], id="a sub-agent's"),
        pytest.param([calls("x", 500), BACK, says(WORDS, 0)], id="no token at all"),
        pytest.param([THEIRS, calls("x", 500), BACK, says("Hi.", 5)], id="no answer of a sub-agent is counted"),
    ],
)
def test_one_answer_is_enough(events: list[Event]) -> None:
    assert partial(*events)


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([calls("x", 20), BACK, says(WORDS, 15)], id="counted"),
        pytest.param([THEIRS, says("x", 9, lane="scout"), calls("x", 20), BACK], id="a sub-agent's is counted"),
        pytest.param([calls("x", 20), BACK, says("Done: 4 metres.", 1)], id="a few words"),
        pytest.param([calls("x", 50), BACK, says("-" * 80 + "\nDone." + " " * 80, 6)], id="rules and indentation"),
        pytest.param([calls("x", 90), BACK, says(WORDS, None)], id="an answer that isn't counted"),
        pytest.param([says(WORDS, 15), says(WORDS, 15)], id="two answers in a row"),
        pytest.param([calls("x", 2), calls(WORDS, None, "b"), BACK, says(WORDS, 30)], id="a call sent apart from it"),
        pytest.param([calls("x", 2), BACK, calls(WORDS, None), BACK, says(WORDS, 30)], id="a call after the result"),
        pytest.param([says(WORDS, None, thought=True), calls("x", 3), BACK, says(WORDS, 30)], id="a thought"),
        pytest.param([Message("user", WORDS), says("Yes.", 1), says(WORDS, 30)], id="what the user says"),
    ],
)
def test_answers_that_are_counted(events: list[Event]) -> None:
    assert not partial(*events)


def test_a_total_that_was_counted_apart_from_the_answers_stands() -> None:
    events: list[Event] = [calls("x", 500), BACK, says(WORDS, 1)]
    assert partial(*events, total=501)
    assert not partial(*events, total=520)
    assert not output_is_partial(Session("s", events=events))
