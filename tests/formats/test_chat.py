"""Plain chat JSON in the dialects of the model APIs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from analyzer.formats.chat import FORMAT
from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message, ReadWarning, Session, ToolCall, ToolResult
from tests.formats.mutations import mutated, read_or_refuse

Json = dict[str, Any]


def session_of(document: object) -> Session:
    (session,) = sessions_of(json.dumps(document).encode())
    return session


def sessions_of(data: bytes) -> list[Session]:
    transcript = load_bytes(data, "talk.json")
    assert transcript.format == "chat"
    return transcript.sessions


def calls(session: Session) -> list[ToolCall]:
    return list(session.calls())


def results(session: Session) -> list[tuple[str | None, str]]:
    return [(event.call_id, event.text) for event in session.events if isinstance(event, ToolResult)]


def words(session: Session) -> list[tuple[str, str, bool]]:
    return [(event.role, event.text, event.thought) for event in session.events if isinstance(event, Message)]


def function(call_id: str, name: str, arguments: object) -> Json:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


OPENAI: list[Json] = [
    {"role": "system", "content": "You look things up."},
    {"role": "user", "content": "Which tables are there, and how many rows has the first one?"},
    {
        "role": "assistant",
        "content": None,
        "reasoning_content": "List them first.",
        "tool_calls": [function("c1", "tables", "{}"), function("c2", "count", '{"table": "orders"}')],
    },
    {"role": "tool", "tool_call_id": "c2", "name": "count", "content": "12"},
    {"role": "tool", "tool_call_id": "c1", "name": "tables", "content": [{"type": "text", "text": "orders"}]},
    {"role": "assistant", "content": "One table, twelve rows."},
]
ANTHROPIC: list[Json] = [
    {"role": "user", "content": [{"type": "text", "text": "Which tables are there?"}]},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "List them."},
            {"type": "text", "text": "I'll look."},
            {"type": "tool_use", "id": "t1", "name": "tables", "input": {"schema": "shop"}},
            {"type": "tool_use", "id": "t2", "name": "tables", "input": {"schema": "log"}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "orders"}]},
            {"type": "tool_result", "tool_use_id": "t2", "content": "no such schema", "is_error": True},
            {"type": "text", "text": "The log is elsewhere."},
        ],
    },
]
RESPONSES: list[Json] = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Which tables are there?"}]},
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "List them."}]},
    {"type": "function_call", "call_id": "f1", "name": "tables", "arguments": '{"schema": "shop"}'},
    {"type": "function_call", "call_id": "f2", "name": "tables", "arguments": '{"schema": "log"}'},
    {"type": "function_call_output", "call_id": "f1", "output": "orders"},
    {"type": "function_call_output", "call_id": "f2", "output": [{"type": "output_text", "text": "none"}]},
    {"type": "custom_tool_call", "call_id": "f3", "name": "patch", "input": "*** Begin"},
    {"type": "custom_tool_call_output", "call_id": "f3", "output": "ok"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "One table."}]},
]


def test_openai_chat_completions() -> None:
    session = session_of(OPENAI)
    assert [(call.id, call.name, call.arguments, call.batch) for call in calls(session)] == [
        ("c1", "tables", {}, "message-3"),
        ("c2", "count", {"table": "orders"}, "message-3"),
    ]
    assert results(session) == [("c2", "12"), ("c1", "orders")]
    assert words(session) == [
        ("system", "You look things up.", False),
        ("user", "Which tables are there, and how many rows has the first one?", False),
        ("assistant", "List them first.", True),
        ("assistant", "One table, twelve rows.", False),
    ]
    assert (session.user_messages, session.assistant_messages) == (1, 2)
    assert session.task == "Which tables are there, and how many rows has the first one?"
    assert (session.id, session.agent, session.ending, session.started_at, session.warnings) == (
        "talk",
        None,
        None,
        None,
        [],
    )


def test_anthropic_messages() -> None:
    session = session_of({"messages": ANTHROPIC})
    assert [(call.id, call.arguments, call.batch) for call in calls(session)] == [
        ("t1", {"schema": "shop"}, "message-2"),
        ("t2", {"schema": "log"}, "message-2"),
    ]
    assert [(e.text, e.is_error) for e in session.events if isinstance(e, ToolResult)] == [
        ("orders", None),
        ("no such schema", True),
    ]
    assert words(session) == [
        ("user", "Which tables are there?", False),
        ("assistant", "List them.", True),
        ("assistant", "I'll look.", False),
        ("user", "The log is elsewhere.", False),
    ]
    assert (session.user_messages, session.assistant_messages) == (2, 1)


def test_a_message_of_results_alone_is_no_message_of_the_user() -> None:
    only_results = {"role": "user", "content": ANTHROPIC[2]["content"][:2]}
    assert session_of([*ANTHROPIC[:2], only_results]).user_messages == 1


def test_openai_responses() -> None:
    session = session_of(RESPONSES)
    assert [(call.id, call.name, call.arguments) for call in calls(session)] == [
        ("f1", "tables", {"schema": "shop"}),
        ("f2", "tables", {"schema": "log"}),
        ("f3", "patch", "*** Begin"),
    ]
    first, second, third = (call.batch for call in calls(session))
    assert first == second != third
    assert results(session) == [("f1", "orders"), ("f2", "none"), ("f3", "ok")]
    assert words(session) == [
        ("user", "Which tables are there?", False),
        ("assistant", "List them.", True),
        ("assistant", "One table.", False),
    ]
    assert session.warnings == []


def test_legacy_function_calls() -> None:
    session = session_of(
        [
            {"role": "user", "content": "Count."},
            {"role": "assistant", "content": None, "function_call": {"name": "count", "arguments": '{"n": 2}'}},
            {"role": "function", "name": "count", "content": "1, 2"},
        ]
    )
    assert [(call.id, call.name, call.arguments) for call in calls(session)] == [(None, "count", {"n": 2})]
    assert results(session) == [(None, "1, 2")]


@pytest.mark.parametrize(
    ("given_arguments", "read", "warned"),
    [
        pytest.param({"a": 1}, {"a": 1}, False, id="object"),
        pytest.param('{"a": 1}', {"a": 1}, False, id="JSON text"),
        pytest.param("", {}, False, id="empty"),
        pytest.param('{"a": ', '{"a": ', True, id="broken"),
        pytest.param("[1]", "[1]", True, id="list"),
    ],
)
def test_arguments(given_arguments: object, read: object, warned: bool) -> None:
    session = session_of([{"role": "assistant", "tool_calls": [function("c1", "f", given_arguments)]}])
    assert calls(session)[0].arguments == read
    expected = [ReadWarning("message 1", "the arguments of a call are no JSON object; kept as text")] if warned else []
    assert session.warnings == expected


def test_header_of_a_conversation() -> None:
    session = session_of(
        {
            "id": "talk-7",
            "model": "some-model",
            "agent": {"name": "clerk", "version": "2"},
            "task": "Count the tables.",
            "title": "Tables",
            "created_at": "2025-03-01T10:00:00",
            "status": "completed",
            "total_cost_usd": 0.5,
            "usage": {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60}},
            "messages": OPENAI,
        }
    )
    assert (session.id, session.model, session.agent, session.agent_version) == ("talk-7", "some-model", "clerk", "2")
    assert (session.task, session.title, session.recorded_status, session.cost_usd) == (
        "Count the tables.",
        "Tables",
        "completed",
        0.5,
    )
    assert (session.tokens.input, session.tokens.output, session.tokens.cached) == (100, 7, 60)
    assert (session.started_at, session.naive_clock) == (1740823200.0, True)


@pytest.mark.parametrize(
    ("named", "task"),
    [
        ("count the boats at the pier", "count the boats at the pier"),
        ("7f3c-boats-12", "Count the boats."),
        ("", "Count the boats."),
    ],
)
def test_an_id_is_no_task(named: str, task: str) -> None:
    session = session_of({"task": named, "messages": [{"role": "user", "content": "Count the boats."}]})

    assert session.task == task


def test_a_header_in_a_block_of_its_own() -> None:
    block = {
        "session_id": "tide-7",
        "start_time": "2025-03-01T10:00:00",
        "end_time": "2025-03-01T10:01:00",
        "model": "some-model",
        "status": "annotated",
        "task": "of a data set",
    }
    session = session_of({"metadata": block, "model": "another", "messages": OPENAI})
    assert (session.id, session.model, session.recorded_status) == ("tide-7", "another", None)
    assert (session.started_at, session.ended_at) == (1740823200.0, 1740823260.0)
    assert session.task != "of a data set"


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        pytest.param(
            {"input_tokens": 5, "output_tokens": 2, "cache_read_input_tokens": 10},
            (15, 2, 10),
            id="Anthropic with a cache",
        ),
        pytest.param({"input_tokens": 5, "output_tokens": 2}, (5, 2, None), id="without a cache"),
        pytest.param(
            {"input_tokens": 50, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 30}},
            (50, 2, 30),
            id="OpenAI responses",
        ),
        pytest.param({"prompt_tokens": "many"}, (None, None, None), id="wrong type"),
        pytest.param([], (None, None, None), id="no object"),
    ],
)
def test_usage(usage: object, expected: tuple[int | None, int | None, int | None]) -> None:
    tokens = session_of({"usage": usage, "messages": OPENAI}).tokens
    assert (tokens.input, tokens.output, tokens.cached) == expected


def test_usage_of_single_messages_adds_up() -> None:
    messages = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi", "usage": {"prompt_tokens": 3, "completion_tokens": 1}, "model": "m-1"},
        {"role": "assistant", "content": "!", "usage": {"prompt_tokens": 5, "completion_tokens": 1}},
    ]
    session = session_of(messages)
    assert (session.tokens.input, session.tokens.output, session.model) == (8, 2, "m-1")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("timestamp", "2025-03-01T10:00:00Z", id="ISO"),
        pytest.param("created_at", 1740823200, id="epoch seconds"),
        pytest.param("time", 1740823200000, id="epoch milliseconds"),
    ],
)
def test_times_of_messages(key: str, value: object) -> None:
    later = "2025-03-01T10:00:30Z"
    session = session_of(
        [{"role": "user", "content": "a", key: value}, {"role": "assistant", "content": "b", key: later}]
    )
    assert [event.time for event in session.events] == [1740823200.0, 1740823230.0]
    assert (session.started_at, session.ended_at, session.naive_clock) == (1740823200.0, 1740823230.0, False)


def test_a_team_of_agents_with_roles_of_their_own() -> None:
    session = session_of(
        [
            {"role": "human", "content": "Find the ferry times."},
            {"role": "Planner (thought)", "content": "Ask the browser."},
            {"role": "Browser", "content": "8:15 and 9:40."},
        ]
    )
    assert words(session) == [
        ("user", "Find the ferry times.", False),
        ("assistant", "Ask the browser.", True),
        ("assistant", "8:15 and 9:40.", False),
    ]


def test_bad_elements_are_reported_and_skipped() -> None:
    session = session_of(
        [
            *OPENAI,
            7,
            {"role": "assistant", "tool_calls": ["what", {"id": "c9", "function": {}}]},
        ]
    )
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("message 7", "a JSON int where a message was expected; skipped"),
        ("message 8", "a JSON str where a tool call was expected; skipped"),
        ("message 8", "tool call without a name, kept as 'unknown'"),
    ]
    assert [call.name for call in calls(session)] == ["tables", "count", "unknown"]


def lines(*records: object) -> bytes:
    return "\n".join(map(json.dumps, records)).encode() + b"\n"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(lines(*OPENAI), id="one message per line"),
        pytest.param(lines({"messages": OPENAI}), id="one line with a conversation"),
        pytest.param(json.dumps({"messages": OPENAI}, indent=1).encode(), id="pretty-printed"),
        pytest.param(b"\xef\xbb\xbf" + lines(*OPENAI).replace(b"\n", b"\r\n"), id="byte order mark and CRLF"),
    ],
)
def test_the_same_talk_in_other_clothes(data: bytes) -> None:
    assert sessions_of(data) == [session_of(OPENAI)]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(lines({"messages": OPENAI, "id": 1}, {"messages": ANTHROPIC}), id="JSON lines"),
        pytest.param(json.dumps([{"messages": OPENAI, "id": 1}, {"messages": ANTHROPIC}]).encode(), id="list"),
    ],
)
def test_several_conversations_are_several_sessions(data: bytes) -> None:
    sessions = sessions_of(data)
    assert [(session.id, len(calls(session))) for session in sessions] == [("1", 2), ("talk-2", 2)]


def test_a_bad_line_is_reported() -> None:
    (session,) = sessions_of(lines(*OPENAI) + b"{broken\n" + lines(OPENAI[1]))
    assert [warning.where for warning in session.warnings] == ["line 7"]
    assert session.user_messages == 2


def test_an_unknown_role_is_reported_once_with_its_first_place_and_number() -> None:
    talk = [OPENAI[1], *({"role": role, "content": "aye"} for role in ("zork", "zork", "planner", "planner (thought)"))]
    (session,) = sessions_of(json.dumps(talk).encode())
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("message 2", "unknown role 'zork'; taken for the assistant's (2 times, first here)"),
        ("message 4", "unknown role 'planner'; taken for the assistant's"),
    ]
    assert session.assistant_messages == 4


@pytest.mark.parametrize(
    "document",
    [
        pytest.param({"trajectory": [], "history": OPENAI, "info": {}}, id="trajectory"),
        pytest.param({"trajectory_format": "x", "messages": OPENAI}, id="named trajectory"),
        pytest.param({"info": {}, "messages": [{"info": {"role": "user"}, "parts": []}]}, id="parts"),
        pytest.param({"projectHash": "x", "messages": [{"type": "user", "content": "a"}]}, id="project hash"),
        pytest.param({"schema_version": "x", "steps": [{"source": "user", "message": "a"}]}, id="steps"),
        pytest.param({"simulations": [{"messages": OPENAI}], "tasks": []}, id="simulations"),
        pytest.param({"eval": {}, "status": "success", "samples": []}, id="evaluation"),
        pytest.param([{"traj": OPENAI, "reward": 0.0, "task_id": 1}], id="runs with rewards"),
        pytest.param([{"id": 0, "source": "user", "action": "message", "role": "user", "content": "a"}], id="events"),
        pytest.param([{"role": "user", "kind": "text", "content": "a", "raw": {}}], id="managed agents"),
        pytest.param([{"role": "user"}], id="a role alone"),
        pytest.param([{"role": "clerk", "content": "a", "score": 1}], id="unknown role with more"),
        pytest.param([{"role": 5, "content": "a"}], id="role of a wrong type"),
        pytest.param({"messages": []}, id="no message"),
        pytest.param([], id="empty list"),
        pytest.param([[1], None], id="list of other things"),
        pytest.param({"role": "admin", "name": "a"}, id="an object with a role"),
    ],
)
def test_what_is_no_plain_chat_is_left_alone(document: object) -> None:
    assert not FORMAT.sniff(Document("x.json", json.dumps(document)))


@settings(deadline=None)
@given(mutated({"id": "talk", "usage": {"prompt_tokens": 1}, "messages": [*OPENAI, *ANTHROPIC, *RESPONSES]}))
def test_any_damage_gives_a_session_or_a_refusal(document: Any) -> None:
    data = json.dumps(document).encode()
    for session in read_or_refuse(data) + read_or_refuse(data, "chat"):
        json.dumps([str(event) for event in session.events])


def test_truncation_at_every_byte() -> None:
    whole = lines(*OPENAI)
    for end in range(len(whole)):
        for session in read_or_refuse(whole[:end]):
            assert len(calls(session)) <= 2


@pytest.mark.parametrize(
    ("last", "found"),
    [
        pytest.param({"content": ""}, [("harness", "[empty answer]", False)], id="nothing"),
        pytest.param({"content": []}, [("harness", "[empty answer]", False)], id="no parts"),
        pytest.param({"content": "", "usage": {"completion_tokens": 9}}, [("assistant", "", False)], id="counted"),
        pytest.param({"content": None}, [], id="no content given"),
        pytest.param({"content": "Aye."}, [("assistant", "Aye.", False)], id="words"),
        pytest.param({"content": "", "reasoning_content": "Hm."}, [("assistant", "Hm.", True)], id="thought"),
        pytest.param({"content": "", "tool_calls": [function("c1", "tables", "{}")]}, [], id="a call"),
    ],
)
def test_an_answer_without_anything_in_it_is_empty(last: Json, found: list[tuple[str, str, bool]]) -> None:
    session = session_of([{"role": "user", "content": "Count."}, {"role": "assistant", **last}])
    assert words(session)[1:] == found


def test_a_message_before_its_calls_is_no_empty_answer() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "tables", "arguments": "{}"}
    hollow = {"type": "message", "role": "assistant", "content": []}
    again = session_of([{"role": "user", "content": "Count."}, hollow, call])
    assert words(again) == [("user", "Count.", False)]
    asked_again = session_of([{"role": "user", "content": "Count."}, hollow, {"role": "user", "content": "Well?"}])
    assert [role for role, _, _ in words(asked_again)] == ["user", "harness", "user"]
