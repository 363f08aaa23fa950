"""Chats in other layouts, damaged, or not chats at all."""

from __future__ import annotations

import json

import pytest

from tests.formats.chat_talks import ANTHROPIC, OPENAI, session_of, sessions_of
from tests.formats.events import calls_in
from tests.formats.reading import lines


def test_bad_elements_are_reported_and_skipped() -> None:
    session = session_of([*OPENAI, 7, {"role": "assistant", "tool_calls": ["what", {"id": "c9", "function": {}}]}])
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("message 7", "a JSON int where a message was expected; skipped"),
        ("message 8", "a JSON str where a tool call was expected; skipped"),
        ("message 8", "tool call without a name, kept as 'unknown'"),
    ]
    assert [call.name for call in session.calls()] == ["tables", "count", "unknown"]


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
    assert [(session.id, len(calls_in(session))) for session in sessions] == [("1", 2), ("talk-2", 2)]


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
