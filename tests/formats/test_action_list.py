"""Lists of actions, as programs without a format of their own write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.action_list import FORMAT
from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message, Session, ToolResult
from tests.conftest import ROOT
from tests.formats.mutations import read_or_refuse


def read(value: object) -> Session:
    transcript = load_bytes(json.dumps(value).encode(), "run.json")
    assert transcript.format == "action-list"
    (session,) = transcript.sessions
    return session


def steps(session: Session) -> list[tuple[str, object]]:
    return [(call.name, call.arguments) for call in session.calls()]


def results(session: Session) -> list[tuple[str, bool | None]]:
    return [(event.text, event.is_error) for event in session.events if isinstance(event, ToolResult)]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"action": "open door"}, ("open door", {})),
        ({"action": "click", "selector": "#buy"}, ("click", {"selector": "#buy"})),
        ({"action": {"type": "click", "selector": "#buy"}}, ("click", {"selector": "#buy"})),
        ({"tool": "shell", "input": {"command": "make"}}, ("shell", {"command": "make"})),
        ({"tool_name": "shell", "args": '{"command": "make"}'}, ("shell", {"command": "make"})),
        ({"type": "action", "payload": {"tool": "shell", "cmd": "make"}}, ("shell", {"cmd": "make"})),
        ({"name": "shell", "args": {"command": "make"}, "output": "done"}, ("shell", {"command": "make"})),
        ([{"tool": "search", "tool_input": "tea"}, "no match"], ("search", "tea")),
    ],
)
def test_an_action_is_known_by_the_usual_words(record: object, expected: tuple[str, object]) -> None:
    assert steps(read([record] * 3)) == [expected] * 3


@pytest.mark.parametrize(
    "record",
    [
        {"action": "opened", "issue": {"id": 1}, "repository": {"id": 2}},
        {"name": "left-pad", "version": "1.0"},
        {"type": "function", "function": {"name": "search", "description": "Look it up.", "parameters": {}}},
        {"name": "search", "description": "Look it up.", "input": {}, "output": {}},
        "click",
        {"action": 3},
    ],
    ids=["webhook", "package", "tool-definition", "named-definition", "text", "number"],
)
def test_what_names_no_action_is_no_list_of_actions(record: object) -> None:
    assert not FORMAT.sniff(Document("run.json", json.dumps([record] * 3).encode()))


def test_what_came_back_is_the_result_and_what_is_left_out_stays_unknown() -> None:
    session = read(
        [
            {"tool": "a", "input": {}, "output": "fine"},
            {"tool": "b", "input": {}, "error": "no such file"},
            {"tool": "c", "input": {}, "success": False, "result": {"text": "no"}},
            {"tool": "d", "input": {}},
        ]
    )
    assert results(session) == [("fine", None), ("no such file", True), ("no", True)]


def test_a_record_of_a_result_belongs_to_the_action_before_it() -> None:
    session = read(
        [
            {"event": "tool_call", "tool": "search", "args": {"q": "tea"}},
            {"event": "tool_result", "tool": "search", "result": "no match"},
        ]
        * 2
    )
    assert steps(session) == [("search", {"q": "tea"})] * 2
    assert results(session) == [("no match", None)] * 2


def test_the_object_around_the_list_tells_the_task_and_what_was_not_read() -> None:
    value: dict[str, Any] = {
        "messages": [{"role": "user", "content": "Book a flight."}],
        "steps": [{"tool": "book", "args": {}, "output": "done"}] * 2,
        "spans": [1, 2],
    }
    session = read(value)
    assert session.task == "Book a flight."
    assert [event.text for event in session.events if isinstance(event, Message)] == ["Book a flight."]
    assert [(warning.where, warning.what) for warning in session.warnings] == [("spans", "2 entries; not read")]


def test_damaged_lists_are_read_or_refused() -> None:
    data = (ROOT / "tests" / "data" / "formats" / "action_list.json").read_bytes()
    for value in (b"null", b"3", b'"x"', b"[]", b"{}", b'[["a"]]'):
        for key in (b'"search"', b'"observation"', b'{"type": "note"}'):
            read_or_refuse(data.replace(key, value), "action-list")
