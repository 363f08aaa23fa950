"""Codex sessions before records had a type and a payload."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Message, Session
from analyzer.model.words import Kind
from analyzer.timeline import build_timeline
from tests.formats.reading import lines, session_in

Json = dict[str, Any]
HEADER: Json = {"id": "old-1", "timestamp": "2025-08-01T09:00:00Z", "instructions": None, "git": {"branch": "main"}}
STATE: Json = {"record_type": "state"}


def said(role: str, text: str) -> Json:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}


SAMPLE: list[Json] = [
    HEADER,
    STATE,
    said("user", "<user_instructions>\n\nBe kind.\n</user_instructions>"),
    said("user", "Light the lamp"),
    STATE,
    {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "x"},
    {
        "type": "function_call",
        "name": "shell",
        "arguments": '{"command": ["bash", "-lc", "make test"]}',
        "call_id": "c1",
    },
    STATE,
    {
        "type": "function_call_output",
        "call_id": "c1",
        "output": '{"output": "boom\\n", "metadata": {"exit_code": 2, "duration_seconds": 1.5}}',
    },
    {"type": "function_call", "name": "memory__add", "arguments": "{}", "call_id": "c2"},
    {"type": "function_call_output", "call_id": "c2", "output": '[{"text": "kept", "type": "text"}]'},
    said("assistant", "Lit."),
]


def session_of(*records: object) -> Session:
    return session_in(lines(*records), "codex-legacy", "old.jsonl")


def test_a_whole_session() -> None:
    session = session_of(*SAMPLE)
    assert (session.id, session.task, session.environment) == ("old-1", "Light the lamp", {"git branch": "main"})
    assert (session.started_at, session.ended_at, session.naive_clock) == (1754038800.0, None, False)
    assert (session.user_messages, session.assistant_messages, session.warnings) == (1, 1, [])
    assert [(one.role, one.text, one.thought) for one in session.events if isinstance(one, Message)] == [
        ("harness", "<user_instructions>\n\nBe kind.\n</user_instructions>", False),
        ("user", "Light the lamp", False),
        ("assistant", "Hm.", True),
        ("assistant", "Lit.", False),
    ]
    first, second = build_timeline(session).actions
    assert (first.kind, first.operation.command, first.exit_code, first.duration, first.result) == (
        Kind.TEST,
        "make test",
        2,
        1.5,
        "boom\n",
    )
    assert (second.tool, second.result, first.batch == second.batch) == ("memory__add", "kept", False)


@pytest.mark.parametrize("head", [pytest.param([HEADER], id="header"), pytest.param([STATE], id="state")])
def test_a_header_or_a_state_line_is_enough(head: list[Json]) -> None:
    assert session_of(*head, SAMPLE[6]).id in ("old-1", "old")


def test_unknown_things_are_counted() -> None:
    session = session_of(
        HEADER, {"type": "riddle"}, {"type": "riddle"}, {"a": 1}, {"record_type": "dream"}, {"type": []}
    )
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 2", "unknown item type 'riddle'; skipped (2 times, first here)"),
        ("line 4", "record without a type; skipped (2 times, first here)"),
        ("line 6", "no item type; skipped"),
    ]
