"""The messages of agent frameworks, recognised by their shape."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, Tokens, ToolResult
from analyzer.timeline import build_timeline
from tests.formats.frameworks import ANSWER, ASKED, FIRST, FOUND, FRAMEWORKS, REFUSED, SECOND
from tests.formats.reading import sessions_in

of_every_framework = pytest.mark.parametrize("name", FRAMEWORKS)


def read(value: Any) -> list[Session]:
    return sessions_in(value, "chat")


@of_every_framework
def test_the_conversation_is_the_same_in_every_framework(name: str) -> None:
    (session,) = read(FRAMEWORKS[name]())
    actions = build_timeline(session).actions
    assert [(action.tool, action.arguments) for action in actions] == [("look", FIRST), ("look", SECOND)]
    first, second = (action.result or "" for action in actions)
    assert (REFUSED in first, second) == (True, FOUND)
    assert [action.status for action in actions] == ["error", "ok"]
    said = [(event.role, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [("user", ASKED), ("assistant", ANSWER)]
    assert (session.task, session.user_messages, session.warnings) == (ASKED, 1, [])


@of_every_framework
def test_a_framework_that_flags_failures_is_believed(name: str) -> None:
    (session,) = read(FRAMEWORKS[name]())
    flags = [event.is_error for event in session.events if isinstance(event, ToolResult)]
    assert flags[0] is (None if name == "agents_sdk_items" else True)
    assert flags[1] is not True


@of_every_framework
def test_messages_with_values_of_other_types_are_survived(name: str) -> None:
    text = json.dumps(FRAMEWORKS[name]())
    for wanted in (json.dumps(FIRST), f'"{REFUSED}"', '"look"', '"call-a"', f'"{ANSWER}"'):
        for broken in ("null", "17", "[]", "{}", '[{"type": "text"}]', "true"):
            try:
                sessions = load_bytes(text.replace(wanted, broken).encode(), "run.json").sessions
            except UnreadableInput:
                continue
            assert sum(1 for session in sessions for _ in session.calls()) <= 2


@pytest.mark.parametrize("name", ["langchain", "vercel_parts", "pydantic_ai", "autogen", "bedrock", "letta"])
def test_messages_may_stand_on_lines_of_their_own(name: str) -> None:
    messages = FRAMEWORKS[name]()
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    (session,) = load_bytes(lines.encode(), "run.jsonl").sessions
    assert [call.arguments for call in session.calls()] == [FIRST, SECOND]


def test_tokens_and_the_model_are_read_from_what_frameworks_add() -> None:
    (pydantic,), (autogen,) = read(FRAMEWORKS["pydantic_ai"]()), read(FRAMEWORKS["autogen"]())
    assert (pydantic.model, pydantic.tokens) == ("m-1", Tokens(90, 12))
    assert autogen.tokens == Tokens(60, 8)


def test_runs_of_one_store_are_sessions_with_names_of_their_own() -> None:
    stored = FRAMEWORKS["agno"]()
    (run,) = stored["runs"]
    repeated = [{**message, "from_history": True} for message in run["messages"]]
    added = [{"role": "user", "content": "And now?"}, {"role": "assistant", "content": "The same."}]
    again = {"run_id": "r-2", "messages": [*repeated, *added]}
    sessions = read({**stored, "runs": [run, again]})
    assert [(session.id, len(list(session.calls()))) for session in sessions] == [("s-1", 2), ("s-1-2", 0)]


def test_calls_that_the_api_answers_itself_are_calls() -> None:
    items = [
        {"role": "user", "content": ASKED},
        {"type": "web_search_call", "id": "w-1", "status": "completed", "action": {"query": "basket"}},
        {"type": "mcp_call", "id": "m-1", "name": "look", "arguments": "{}", "output": None, "error": REFUSED},
        {"role": "assistant", "content": ANSWER},
    ]
    (session,) = read(items)
    assert [(call.name, call.arguments) for call in session.calls()] == [
        ("web_search", {"query": "basket"}),
        ("look", {}),
    ]
    assert [event.is_error for event in session.events if isinstance(event, ToolResult)] == [True]


def test_a_part_of_no_known_shape_is_kept() -> None:
    parts = [{"type": "text", "text": ASKED}, {"type": "data-map", "zoom": 7}]
    (session,) = read(
        [{"role": "user", "parts": parts}, {"role": "assistant", "parts": [{"type": "text", "text": ANSWER}]}]
    )
    said = [event.text for event in session.events if isinstance(event, Message)]
    assert said[0] == f'{ASKED}\n{{"type": "data-map", "zoom": 7}}'


@pytest.mark.parametrize(
    "value",
    [
        {"kind": "request", "parts": []},
        {"users": [{"role": "admin", "parts": [{"text": "x"}]}, {"role": "guest", "parts": []}]},
        {"people": [{"type": "human", "name": "A"}, {"type": "system", "name": "B"}]},
    ],
)
def test_what_only_resembles_messages_is_no_conversation(value: Any) -> None:
    with pytest.raises(UnreadableInput):
        load_bytes(json.dumps(value).encode(), "other.json")
