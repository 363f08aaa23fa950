"""A Claude Code session log becomes one session: who is recognised, what is counted, what damage costs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Session, ToolCall
from tests.formats.claude_code_builders import SAMPLE, Json, progress, result, said, session_of, text, use, words
from tests.formats.events import results_in
from tests.formats.mutations import mutated
from tests.formats.reading import lines
from tests.tables import table


def calls(session: Session, lane: str = "main") -> list[ToolCall]:
    return [call for call in session.calls() if call.lane == lane]


def test_a_whole_session() -> None:
    session = session_of(*SAMPLE)
    assert (session.id, session.agent, session.agent_version, session.model) == (
        "session-a",
        "Claude Code",
        "2.1.0",
        "claude-test-1",
    )
    assert (session.task, session.title) == ("The price test fails.", "Repair of the shop")
    assert (session.user_messages, session.assistant_messages) == (1, 2)
    assert session.environment == {"working directory": "/home/dev/shop", "git branch": "main"}
    assert session.started_at == 1740823201.0
    assert session.ended_at == 1740823207.0
    assert (session.cost_usd, session.ending, session.naive_clock, session.warnings) == (None, None, False, [])
    assert words(session) == [
        ("harness", "<system-reminder>Be brief.</system-reminder>"),
        ("user", "The price test fails."),
        ("assistant", "Tests first."),
        ("assistant", "I run the tests."),
    ]
    assert [(call.id, call.name, call.arguments, call.batch, call.time) for call in session.calls()] == [
        ("call-1", "Bash", {"command": "pytest -q"}, "msg_a", 1740823204.0),
        ("call-2", "Bash", {"command": "true"}, "msg_6", 1740823206.0),
    ]
    assert [(r.call_id, r.text, r.is_error, r.exit_code) for r in results_in(session)] == [
        ("call-1", "Exit code 1\n1 failed", True, 1),
        ("call-2", "", False, 0),
    ]


def test_usage_counts_once_per_message_and_its_last_record_wins() -> None:
    tokens = session_of(*SAMPLE).tokens
    assert (tokens.input, tokens.output, tokens.cached) == (118, 44, 100)


def test_parallel_calls_share_a_batch_and_keep_their_order() -> None:
    session = session_of(
        said("user", 1, "Look at both."),
        said("assistant", 2, [use("call-a", "Read", file_path="a")], message={"id": "msg_p"}),
        said("assistant", 3, [use("call-b", "Read", file_path="b")], message={"id": "msg_p"}),
        said("user", 4, [result("call-b", "B")]),
        said("user", 5, [result("call-a", "A")]),
    )
    assert [(call.id, call.batch) for call in session.calls()] == [("call-a", "msg_p"), ("call-b", "msg_p")]
    assert [r.call_id for r in results_in(session)] == ["call-b", "call-a"]
    assert session.assistant_messages == 1


@table("every_call_is_counted_once")
def test_every_call_is_counted_once(records: list[Json], count: int) -> None:
    assert len(calls(session_of(said("user", 1, "Go."), *records))) == count


def test_unknown_things_are_counted_and_reported_once() -> None:
    session = session_of(
        said("user", 1, "Go."),
        {"type": "hologram", "sessionId": "session-a"},
        {"type": "hologram", "sessionId": "session-a"},
        {"silly": True},
        said("assistant", 2, [{"type": "riddle"}, use("call-1")]),
        {"type": "user", "message": "no object"},
        {"type": "queue-operation", "operation": "enqueue"},
    )
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 2", "unknown record type 'hologram'; skipped (2 times, first here)"),
        ("line 4", "record without a type; skipped"),
        ("line 5", "unknown content block 'riddle'; kept as text"),
        ("line 6", "record without a message; skipped"),
    ]
    assert len(calls(session)) == 1


def test_bad_lines_are_reported_and_skipped() -> None:
    data = lines(said("user", 1, "Go.")) + b'not json\n[1]\n\n"x"\n' + lines(said("assistant", 2, [use("call-1")]))[:-9]
    session = load_bytes(data, "shop.jsonl").sessions[0]
    assert [warning.where for warning in session.warnings] == ["line 2", "line 3", "line 5", "line 6"]
    assert session.user_messages == 1


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda data: b"\xef\xbb\xbf" + data, id="byte order mark"),
        pytest.param(lambda data: data.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(lambda data: b"\n\n" + data, id="blank lines"),
        pytest.param(lambda data: data.decode().encode("utf-16"), id="UTF-16"),
        pytest.param(lambda data: b"[" + data.strip().replace(b"\n", b",\n") + b"]", id="one JSON list"),
        pytest.param(
            lambda data: b'{"loglines": [' + data.strip().replace(b"\n", b",") + b"]}", id="exported log lines"
        ),
    ],
)
def test_the_same_session_in_other_clothes(wrap: Any) -> None:
    transcript = load_bytes(wrap(lines(*SAMPLE)), "shop.jsonl")
    assert transcript.format == "claude-code"
    assert transcript.sessions[0] == session_of(*SAMPLE)


def test_a_session_of_one_record() -> None:
    assert session_of(said("user", 1, "Hello?")).task == "Hello?"


RICH: list[Json] = [
    *SAMPLE,
    said("user", 10, [{"type": "text", "text": "<command-name>/fix</command-name><command-args>it</command-args>"}]),
    progress(11, {"type": "agent_progress", "agentId": "b1", "message": said("assistant", 30, [use("sub-1", "Read")])}),
    {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "uuid-12",
        "compactMetadata": {"trigger": "auto", "preTokens": 9},
    },
    {
        "type": "attachment",
        "uuid": "uuid-13",
        "attachment": {"type": "queued_command", "prompt": [{"type": "text", "text": "x"}]},
    },
    {
        "type": "system",
        "subtype": "api_error",
        "uuid": "uuid-14",
        "error": {"error": {"error": {"message": "x"}}},
        "retryAttempt": 1,
    },
    said("assistant", 15, [text("API Error")], isApiErrorMessage=True),
]


@given(st.data())
def test_one_bad_record_costs_only_itself(data: st.DataObject) -> None:
    damaged = data.draw(mutated(RICH[5]))
    records = [*RICH[:5], damaged, *RICH[6:]]
    assert "call-2" in {call.id for call in load_bytes(lines(*records), "x.jsonl", "claude-code").sessions[0].calls()}


def test_records_that_were_all_given_one_id_are_read() -> None:
    assert calls(session_of(*({**record, "uuid": "***"} for record in SAMPLE))) == calls(session_of(*SAMPLE))
