"""The project's own form, and its page in the docs."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.definition import Parameter
from analyzer.model.session import EvaluationLog, Expected, ExpectedCall, Message, Session, ToolCall, ToolResult
from analyzer.model.words import Ending, Mark
from tests.conftest import ROOT
from tests.formats.events import calls_in
from tests.formats.reading import lines, sessions_in
from tests.tables import table

Json = dict[str, Any]
PAGE = (ROOT / "docs" / "own-format.md").read_text(encoding="utf-8")

FULL: Json = {
    "format": "analyze-session/1",
    "session": {
        "id": "run-1",
        "agent": "clerk",
        "agent_version": "2",
        "model": "some-model",
        "task": "Sort the shelf.",
        "title": "Shelf",
        "started_at": "2025-03-01T10:00:00Z",
        "ended_at": 1740823260,
        "environment": {"language": "Python 3.12", "cores": 2, "ci": True},
        "messages": {"user": 4, "assistant": 9},
        "tokens": {"input": 100, "output": 20, "cached": 60},
        "cost_usd": 0.25,
        "cost_is_partial": True,
        "status": "gave up",
        "ending": "limit",
        "ending_detail": "The step limit of 50.",
        "broke": "ValueError: no shelf",
        "evaluation": {"file": "tests.log", "text": "2 passed"},
        "expected": {"calls": [{"tool": "look", "arguments": {"at": "a"}}], "words": ["done"]},
        "tools": [{"name": "look", "parameters": [{"name": "at", "type": "string", "required": True}]}],
        "beside": [{"role": "scorer", "model": "moon-1", "tokens": {"input": 4, "output": 1}, "cost_usd": 0.5}],
    },
    "messages": [
        {"role": "user", "text": "Sort the shelf.", "time": "2025-03-01T10:00:00Z", "before_action": 1},
        {"role": "harness", "text": "Be brief.", "before_action": 2},
        {"role": "assistant", "text": "Sorted.", "thought": False, "speaker": None},
        {"role": "assistant", "text": "", "unrecorded": True},
    ],
    "actions": [
        {
            "tool": "list",
            "arguments": {"where": "shelf"},
            "thought": "Look first.",
            "intent": "I'll look at it.",
            "result": "b a",
            "exit_code": 0,
            "is_error": False,
            "started_at": "2025-03-01T10:00:10Z",
            "duration_seconds": 1.5,
            "batch": 1,
            "score": -0.5,
            "model": "small-model",
        },
        {
            "tool": "swap",
            "arguments": "a b",
            "result": "refused",
            "mark": "denied",
            "error_type": "refusal",
            "path": "shelf.txt",
        },
        {"tool": "look", "lane": "helper", "result": None, "asks_agent": True},
        {"tool": "finish", "task_done": True},
    ],
}


def sessions_of(data: bytes) -> list[Session]:
    return sessions_in(data, "actions")


def session_of(document: Json) -> Session:
    (session,) = sessions_of(json.dumps(document).encode())
    return session


def warnings(session: Session) -> list[tuple[str, str]]:
    return [(warning.where, warning.what) for warning in session.warnings]


def test_header() -> None:
    session = session_of(FULL)
    assert (session.id, session.agent, session.agent_version, session.model) == ("run-1", "clerk", "2", "some-model")
    assert (session.task, session.title) == ("Sort the shelf.", "Shelf")
    assert (session.started_at, session.ended_at, session.naive_clock) == (1740823200.0, 1740823260.0, False)
    assert session.environment == {"language": "Python 3.12", "cores": "2", "ci": "true"}
    assert (session.user_messages, session.assistant_messages) == (4, 9)
    assert (session.tokens.input, session.tokens.output, session.tokens.cached) == (100, 20, 60)
    assert (session.cost_usd, session.recorded_status) == (0.25, "gave up")
    assert session.expected == Expected((ExpectedCall("look", {"at": "a"}),), ("done",))
    assert [entry.parameters for entry in session.definitions] == [(Parameter("at", ("string",), True),)]
    assert (session.ending, session.ending_detail) == (Ending.LIMIT, "The step limit of 50.")
    assert session.broke == "ValueError: no shelf"
    assert session.evaluation == EvaluationLog("tests.log", "2 passed")
    assert session.warnings == []


def test_events_in_order() -> None:
    assert session_of(FULL).events == [
        Message("user", "Sort the shelf.", 1740823200.0),
        Message("assistant", "Look first.", 1740823210.0, thought=True),
        Message("assistant", "I'll look at it.", 1740823210.0),
        ToolCall("action-1", "list", {"where": "shelf"}, 1740823210.0, batch="1", model="small-model"),
        ToolResult("action-1", "b a", False, 0, 1740823211.5, 1.5, score=-0.5),
        Message("harness", "Be brief."),
        ToolCall("action-2", "swap", "a b", path="shelf.txt"),
        ToolResult("action-2", "refused", mark=Mark.DENIED, error_type="refusal"),
        ToolCall("action-3", "look", {}, lane="helper", asks_agent=True),
        ToolCall("action-4", "finish", {}, task_done=True),
        Message("assistant", "Sorted."),
        Message("assistant", "", unrecorded=True),
    ]


def test_only_tools_are_mandatory() -> None:
    session = session_of({"actions": [{"tool": "look"}]})
    assert [call.name for call in session.calls()] == ["look"]
    assert (session.id, session.agent, session.task, session.started_at, session.ending) == (
        "run",
        None,
        None,
        None,
        None,
    )
    assert (session.user_messages, session.assistant_messages, session.warnings) == (0, 0, [])


def test_messages_are_counted_where_the_header_gives_no_counts() -> None:
    session = session_of({**FULL, "session": {}})
    assert (session.user_messages, session.assistant_messages) == (1, 3)
    assert (session.task, session.started_at, session.ended_at) == ("Sort the shelf.", 1740823200.0, 1740823211.5)


@table("a_result_is_what_was_recorded")
def test_a_result_is_what_was_recorded(action: Json, has_result: bool) -> None:
    session = session_of({"actions": [{"tool": "look", **action}]})
    assert any(isinstance(event, ToolResult) for event in session.events) is has_result


@table("slips_are_reported_and_the_rest_is_read")
def test_slips_are_reported_and_the_rest_is_read(document: Json, expected: list[tuple[str, str]]) -> None:
    session = session_of({"actions": [{"tool": "look"}], **document})
    assert warnings(session) == expected
    assert calls_in(session)


def test_a_time_without_a_zone_makes_the_clock_naive() -> None:
    assert session_of({"actions": [{"tool": "look", "started_at": "2025-03-01T10:00:00"}]}).naive_clock


def as_lines(document: Json) -> list[Json]:
    user, harness, *assistant = ({"message": message} for message in document["messages"])
    first, *others = ({"action": action} for action in document["actions"])
    return [{"session": document["session"]}, user, first, harness, *others, *assistant]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(json.dumps(FULL, indent=2).encode(), id="pretty-printed"),
        pytest.param(lines(*as_lines(FULL)), id="JSON lines"),
        pytest.param(b"\xef\xbb\xbf" + lines(*as_lines(FULL)).replace(b"\n", b"\r\n"), id="byte order mark and CRLF"),
    ],
)
def test_the_same_session_in_other_clothes(data: bytes) -> None:
    assert sessions_of(data) == [session_of(FULL)]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(
            lines({"session": {"id": 1}}, {"action": {"tool": "a"}}, {"session": {}}, {"action": {"tool": "b"}}),
            id="session lines",
        ),
        pytest.param(
            lines({"session": {"id": 1}, "actions": [{"tool": "a"}]}, {"actions": [{"tool": "b"}]}), id="whole objects"
        ),
    ],
)
def test_several_sessions_in_one_file(data: bytes) -> None:
    assert [(session.id, calls_in(session)[0].name) for session in sessions_of(data)] == [("1", "a"), ("run-2", "b")]


def test_a_bad_line_is_reported() -> None:
    (session,) = sessions_of(lines({"session": {}}, {"action": {"tool": "a"}}) + b"oops\n" + lines({"colour": 1}))
    assert [where for where, _ in warnings(session)] == ["line 3", "line 4"]


def test_an_empty_session_that_names_the_form_is_read() -> None:
    assert session_of({"format": "analyze-session/1", "actions": []}).events == []


def documented_example() -> Json:
    found = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert found
    example: Json = json.loads(found[1])
    return example


def test_the_documented_example_reads_without_a_warning() -> None:
    session = session_of(documented_example())
    assert session.warnings == []
    assert [call.name for call in session.calls()] == ["shell", "edit", "shell", "submit"]
    assert [type(event) for event in session.events[:4]] == [Message, Message, ToolCall, ToolResult]
    assert session.ending is Ending.SUBMITTED
    assert session.events[-1] == Message("assistant", "The tests pass now.", 1738315890.0)


def test_every_documented_key_is_known_and_every_known_word_documented() -> None:
    rows = re.findall(r"^\| (`.+?`) \| (.+?) \| (.+) \|$", PAGE, re.MULTILINE)
    keys = {key for names, _, _ in rows for key in re.findall(r"`(\w+)`", names)}
    used = {*FULL, *FULL["session"]} | {key for part in (*FULL["messages"], *FULL["actions"]) for key in part}
    used |= {"harness", "trigger", "tokens_before", "tokens_after"}
    assert keys == used
    for word in (*Ending, *Mark):
        assert f"`{word}`" in PAGE


def test_the_header_keys_are_those_of_a_session() -> None:
    ours = set(Session.__struct_fields__)
    renamed = {"messages": "user_messages", "status": "recorded_status", "tools": "definitions"}
    assert {renamed.get(key, key) for key in FULL["session"]} <= ours


def test_a_compaction_stands_before_the_action_that_it_came_before() -> None:
    lines = [
        {"session": {"id": "s"}},
        {"action": {"tool": "look", "result": "a"}},
        {"compaction": {"trigger": "auto", "tokens_before": 900, "tokens_after": 90}},
        {"action": {"tool": "exit_cost", "harness": True}},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    session = load_bytes(text.encode(), "s.jsonl").sessions[0]
    assert [type(event).__name__ for event in session.events] == ["ToolCall", "ToolResult", "Compaction", "ToolCall"]
    assert [call.harness for call in session.calls()] == [False, True]
    assert session.warnings == []
