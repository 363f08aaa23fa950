"""Chats in other layouts, damaged, or not chats at all."""

from __future__ import annotations

import json

import pytest

from analyzer.formats.chat import FORMAT
from analyzer.formats.container.document import Document
from tests.formats.chat_talks import ANTHROPIC, OPENAI, calls, session_of, sessions_of


def test_bad_elements_are_reported_and_skipped() -> None:
    session = session_of([*OPENAI, 7, {"role": "assistant", "tool_calls": ["what", {"id": "c9", "function": {}}]}])
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
