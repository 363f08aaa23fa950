"""Plain chat JSON in the dialects of the model APIs."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message, ReadWarning, Session, ToolResult
from tests.formats.chat_talks import ANTHROPIC, OPENAI, RESPONSES, Json, function, session_of
from tests.formats.events import calls_in
from tests.tables import table


def results(session: Session) -> list[tuple[str | None, str]]:
    return [(event.call_id, event.text) for event in session.events if isinstance(event, ToolResult)]


def words(session: Session) -> list[tuple[str, str, bool]]:
    return [(event.role, event.text, event.thought) for event in session.events if isinstance(event, Message)]


def test_openai_chat_completions() -> None:
    session = session_of(OPENAI)
    assert [(call.id, call.name, call.arguments, call.batch) for call in session.calls()] == [
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
    assert [(call.id, call.arguments, call.batch) for call in session.calls()] == [
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
    assert [(call.id, call.name, call.arguments) for call in session.calls()] == [
        ("f1", "tables", {"schema": "shop"}),
        ("f2", "tables", {"schema": "log"}),
        ("f3", "patch", "*** Begin"),
    ]
    first, second, third = (call.batch for call in session.calls())
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
    assert [(call.id, call.name, call.arguments) for call in session.calls()] == [(None, "count", {"n": 2})]
    assert results(session) == [(None, "1, 2")]


@table("arguments")
def test_arguments(given_arguments: object, read: object, warned: bool) -> None:
    session = session_of([{"role": "assistant", "tool_calls": [function("c1", "f", given_arguments)]}])
    assert calls_in(session)[0].arguments == read
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


@table("usage")
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
