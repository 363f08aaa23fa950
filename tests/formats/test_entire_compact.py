"""Entire's compact transcripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message, Session, Tokens
from analyzer.timeline import build_timeline

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "formats" / "entire_compact.jsonl"


def turns() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def read(lines: list[dict[str, Any]]) -> Session:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (session,) = load_bytes(text.encode(), "transcript.jsonl", "entire-compact").sessions
    return session


def test_calls_hold_their_results_and_errors() -> None:
    actions = build_timeline(read(turns())).actions
    assert [action.tool for action in actions] == ["Grep", "Read", "Bash", "Edit"]
    assert [str(action.status) for action in actions] == ["ok", "ok", "error", "unknown"]
    assert (actions[2].result, actions[2].decided_by) == ("Exit code 1\n1 failed in 0.04s", "the log's flag")
    assert actions[3].result is None
    assert actions[0].batch == actions[1].batch != actions[2].batch


def test_an_answer_in_two_turns_counts_its_tokens_once() -> None:
    assert read(turns()).tokens == Tokens(600, 90)


def test_the_task_the_agent_and_what_was_said() -> None:
    session = read(turns())
    assert (session.agent, session.task, session.user_messages) == ("claude-code", "Please repair the total.", 1)
    said = [(event.role, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [
        ("user", "Please repair the total."),
        ("assistant", "I'll look at it."),
        ("assistant", "It's repaired."),
    ]


def test_what_is_not_known_is_named() -> None:
    lines = turns()
    lines.append({**lines[1], "type": "dream"})
    lines.append({**lines[1], "v": 2, "content": [{"type": "tool_use", "input": {}}, {"type": "hologram"}]})
    lines.append({"note": "x"})
    assert [(warning.where, warning.what) for warning in read(lines).warnings] == [
        ("line 6", "unknown type of turn 'dream'; skipped"),
        ("line 7", "version 2, which isn't known; read as version 1"),
        ("line 7", "tool call without a name, kept as 'unknown'"),
        ("line 7", "unknown content block 'hologram'; skipped"),
        ("line 8", "no turn; skipped"),
    ]
