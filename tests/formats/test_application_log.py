"""Logs in which sentences say which tool was called and what came back."""

from __future__ import annotations

import json

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Session, ToolResult
from tests.growth import assert_in_proportion
from tests.tables import table

CALLS = 3


def read(text: str, name: str = "app.log") -> Session:
    transcript = load_bytes(text.encode(), name)
    assert transcript.format == "application-log"
    (session,) = transcript.sessions
    return session


def lines(*texts: str) -> str:
    return "".join(f"2026-01-01 10:00:{number:02d} INFO agent - {text}\n" for number, text in enumerate(texts * CALLS))


@table("a_sentence_about_a_call_is_an_action")
def test_a_sentence_about_a_call_is_an_action(said: str, name: str, arguments: object) -> None:
    assert [(call.name, call.arguments) for call in read(lines(said)).calls()] == [(name, arguments)] * CALLS


def test_what_came_back_is_the_next_sentence_about_a_result_with_the_lines_below_it() -> None:
    session = read(lines("calling tool bash with {}", "Tool result: 1 failed\nFAILED a.py", "calling tool b with {}"))
    results = [event for event in session.events if isinstance(event, ToolResult)]
    assert [(result.text, result.is_error) for result in results] == [("1 failed\nFAILED a.py", None)] * CALLS
    assert len(list(session.calls())) == 2 * CALLS


def test_a_sentence_that_says_that_the_tool_failed_is_recorded_as_that() -> None:
    session = read(lines("calling tool search with {}", "tool search failed: HTTP 500"))
    assert {event.is_error for event in session.events if isinstance(event, ToolResult)} == {True}


def test_records_with_an_event_and_a_message_are_read_as_one_sentence() -> None:
    records = [{"time": 1760000000, "event": "tool_call", "msg": "run_tests {}"}, {"event": "tool_result", "msg": "ok"}]
    session = read("".join(json.dumps(record) + "\n" for record in records * 2), "app.jsonl")
    assert [(call.name, call.arguments) for call in session.calls()] == [("run_tests", {})] * 2
    assert [event.text for event in session.events if isinstance(event, ToolResult)] == ["ok", "ok"]


def test_entries_that_say_neither_are_counted() -> None:
    session = read(lines("calling tool bash with {}", "saved the state"))
    assert [warning.what for warning in session.warnings] == ["3 speak neither of a call nor of a result; left out"]


@pytest.mark.parametrize("said", ["calling tool ", "tool ", "(", "{'", "tool_result "])
def test_a_log_is_read_in_linear_time(said: str) -> None:
    def make(size: int) -> str:
        return lines("calling tool bash with {}") + lines(
            "calling tool bash with " + said * size, "tool " + said * size
        )

    assert_in_proportion(read, make, 5_000, 20_000, f"{said!r} in a sentence")
