"""Lists of actions, as programs without a format of their own write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.action_list import FORMAT
from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message, Session, ToolResult
from analyzer.model.words import Ending
from tests.formats.reading import session_in
from tests.tables import table


def read(value: object) -> Session:
    return session_in(value, "action-list")


def steps(session: Session) -> list[tuple[str, object]]:
    return [(call.name, call.arguments) for call in session.calls()]


def results(session: Session) -> list[tuple[str, bool | None]]:
    return [(event.text, event.is_error) for event in session.events if isinstance(event, ToolResult)]


@table("an_action_is_known_by_the_usual_words")
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


EVENTS = [
    {"event_type": "task_start", "data": {"task": "Find the leak."}},
    {
        "event_type": "llm_call",
        "data": {
            "model": "some-model", "prompt_tokens": 20, "completion_tokens": 4,
            "response": {"text": "I ask both.", "tool_calls": [
                {"tool": "gauge", "args": {"n": 1}, "id": "a"}, {"tool": "gauge", "args": {"n": 2}, "id": "b"},
            ]},
        },
    },
    {"event_type": "tool_results", "data": {"results": [[
        {"tool": "gauge", "call_id": "b", "status": "error", "output": "no answer"},
        {"tool": "gauge", "call_id": "a", "status": "ok", "output": "4 bar"},
    ]]}},
]  # fmt: skip
NAMED = [
    {"event_type": "main.start", "data": {"topic": "Old pumps"}},
    {"event_type": "tool.gauge.start", "data": {"n": 1}},
    {"event_type": "tool.gauge.success", "data": {"bar": 4}},
] * 2


def test_calls_and_results_within_events() -> None:
    session = read(EVENTS)
    assert (session.task, session.model, session.tokens.input, session.tokens.output) == (
        "Find the leak.", "some-model", 20, 4,
    )  # fmt: skip
    assert steps(session) == [("gauge", {"n": 1}), ("gauge", {"n": 2})]
    first, second = (call.id for call in session.calls())
    answers = [(one.call_id, one.text, one.is_error) for one in session.events if isinstance(one, ToolResult)]
    assert answers == [(second, "no answer", True), (first, "4 bar", False)]
    assert [one.text for one in session.events if isinstance(one, Message)] == ["Find the leak.", "I ask both."]


def test_events_that_are_named_after_tools() -> None:
    session = read(NAMED)
    assert (session.task, steps(session)) == ("Old pumps", [("gauge", {"n": 1})] * 2)
    assert results(session) == [('{"bar": 4}', None)] * 2


@table("the_verdict_beside_the_steps")
def test_the_verdict_beside_the_steps(verdict: dict[str, Any], ending: Ending | None, status: str | None) -> None:
    taken = [{"action": "open blue box", "observation": "It is open."}, {"action": "take[box]", "observation": "Ok."}]
    session = read({"goal": "Open it.", "steps": taken, **verdict})
    assert (session.ending, session.recorded_status) == (ending, status)
    assert steps(session) == [("open", {"input": "blue box"}), ("take", {"input": "box"})]


def test_each_object_around_a_list_of_actions_is_a_session() -> None:
    runs = [
        {"task_id": name, "task": f"Do {name}.", "steps": [{"action": "dig", "observation": "dug"}] * count}
        for name, count in (("one", 1), ("two", 2))
    ]
    sessions = load_bytes(json.dumps(runs).encode(), "run.json").sessions
    assert [(one.id, one.task, len(steps(one))) for one in sessions] == [("one", "Do one.", 1), ("two", "Do two.", 2)]


def test_what_two_agents_said_and_called_in_turn() -> None:
    calls = [{"tool_name": "read", "args": {"file": "a"}, "result": [False, "no such file"]}]
    turns = [{"user": "Read it.", "assistant": "I can't.", "tool_calls": calls}] * 2
    session = read({"question": "What is in it?", "token_info": {"prompt_token_count": 9}, "chat_history": turns})
    assert results(session)[0] == ("false\nno such file", True)
    said = [("harness", "Read it."), ("assistant", "I can't.")] * 2
    spoken = [(one.role, one.text) for one in session.events if isinstance(one, Message)]
    assert spoken == [("user", "What is in it?"), *said]
    assert (session.task, session.tokens.input) == ("What is in it?", 9)


def test_code_with_what_running_it_printed() -> None:
    ran = {"returncode": 1, "stdout": "", "stderr": "MemoryError"}
    session = read({"init_code_1": "fit()", "init_code_exec_result_1": ran, "last_code_exec_result": ran})
    assert steps(session) == [("run_code", {"what": "init_code", "code": "fit()"}), ("run_code", {"what": "last_code"})]
    assert [one.exit_code for one in session.events if isinstance(one, ToolResult)] == [1, 1]


def test_the_answer_and_the_end_of_an_event_trace() -> None:
    answered = {
        "event_type": "model.response",
        "data": {"response": {"text": "The valve."}, "usage": {"in": 7, "out": 2}},
    }
    over = {"event_type": "run.finished", "data": {"status": "partial", "reason": "one gauge was dark"}}
    session = read(
        [{"event_type": "run.started", "data": {"goal": "Look.", "agent": "wren"}}, *EVENTS[1:], answered, over]
    )
    assert (session.task, session.agent, session.tokens.output) == ("Look.", "wren", 6)
    assert [one.text for one in session.events if isinstance(one, Message)][-1] == "The valve."
    assert (session.recorded_status, session.ending_detail) == ("partial", "one gauge was dark")
