"""Sessions of Continue: messages, calls with their states, and what damage costs."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Session
from tests.formats.corpus_files import load_sample
from tests.formats.events import Result, answered, calls, order, results, words
from tests.formats.reading import session_in
from tests.tables import table

Json = dict[str, Any]


def state(status: str = "done", **more: object) -> Json:
    call = {"id": "t", "type": "function", "function": {"name": "ls", "arguments": '{"path": "."}'}}
    return {"toolCallId": "t", "toolCall": call, "status": status, "output": [{"content": "a.py"}], **more}


def read(*entries: object) -> Session:
    value = {"sessionId": "s", "workspaceDirectory": "/srv", "history": list(entries)}
    return session_in(value, "continue")


def answer(*states: Json, **more: object) -> Json:
    return {"message": {"role": "assistant", "content": "I look."}, "toolCallStates": list(states), **more}


def test_the_session_of_ours() -> None:
    session = load_sample("continue.json", "continue")
    assert (session.id, session.agent, session.model, session.title, session.task) == (
        "session-1",
        "Continue",
        "example-4",
        "The lantern",
        "The lantern is dark. Fix it.",
    )
    assert (session.user_messages, session.assistant_messages) == (1, 2)
    assert calls(session) == [
        ("read_file", {"filepath": "wick.py"}),
        ("run_terminal_command", {"command": "make light"}),
    ]
    assert answered(session) == [
        ("read_file", "WICK = 'wet'"),
        ("run_terminal_command", "make: no rule to make target light"),
    ]
    assert [flag for _, flag, _, _ in results(session)] == [False, True]
    assert words(session)[-1] == ("assistant", "The wick is wet.")


@table("how_a_call_ended")
def test_how_a_call_ended(status: str, result: list[Result]) -> None:
    session = read(answer(state(status)))
    assert (results(session), session.warnings) == (result, [])


def test_a_result_in_a_message_of_its_own_counts_where_the_state_has_none() -> None:
    session = read(answer(state("calling")), {"message": {"role": "tool", "content": "b.py", "toolCallId": "t"}})
    assert answered(session) == [("ls", "b.py")]


def test_the_one_call_of_older_entries_and_thoughts() -> None:
    entry = {"message": {"role": "assistant", "content": ""}, "toolCallState": state(), "reasoning": {"text": "Hm."}}
    assert order(read(entry, {"message": {"role": "thinking", "content": "Well."}})) == "mcrm"


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ({"message": {"role": "gardener", "content": "x"}}, "unknown role 'gardener'; skipped"),
        ({"contextItems": []}, "an entry without 'message'"),
        ({"message": {"role": "user"}}, "a message without 'content'"),
        (answer(state("puzzled")), "unknown status of a call 'puzzled'; its result isn't read"),
        (answer({"toolCallId": "t", "status": "done"}), "a call's state without 'toolCall'"),
        ("x", "a JSON str where an entry was expected; skipped"),
    ],
)
def test_what_is_not_understood_is_said(entry: object, what: str) -> None:
    session = read({"message": {"role": "user", "content": "Go."}}, entry)
    assert what in [warning.what for warning in session.warnings]
