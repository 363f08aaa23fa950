"""Session events of managed agents."""

from __future__ import annotations

import json
from typing import Any

from analyzer.formats.claude_managed_agents import FORMAT
from analyzer.formats.container.document import Document
from analyzer.model.session import Session, ToolResult
from analyzer.model.words import Ending, Mark
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import answered, calls, order, results, words
from tests.formats.reading import lines, taken_by
from tests.tables import table

Json = dict[str, Any]
FILE = SAMPLES / "claude_managed_agents.jsonl"
SAMPLE: list[Json] = list(map(json.loads, FILE.read_text(encoding="utf-8").splitlines()))


def event(number: int, kind: str, **more: Any) -> Json:
    return {"id": f"e{number}", "type": kind, "processed_at": f"2026-03-01T10:00:{number:02}Z", **more}


def session_of(*events: object) -> Session:
    asked = event(1, "user.message", content=[{"type": "text", "text": "Go."}])
    (session,) = taken_by(FORMAT, lines(asked, *events), "run.jsonl")
    return session


def test_the_sample() -> None:
    session = load_sample("claude_managed_agents.jsonl", "claude-managed-agents")

    assert session.task == "Charge the far zone correctly."
    assert calls(session) == [("bash", {"command": "pytest -q"}), ("mcp__rates__lookup", {"zone": "far"})]
    assert len({call.batch for call in session.calls()}) == 1
    assert [(flag, text[:6]) for text, flag, _, _ in results(session)] == [(True, "FAILED"), (False, "1.5")]
    assert words(session) == [
        ("user", "Charge the far zone correctly."),
        ("thought", "Tests first."),
        ("assistant", "I run the tests."),
    ]
    assert order(session) == "mmmccrr"
    ended = (session.ending, session.recorded_status, session.ending_detail)
    assert ended == (Ending.UNSOLVED, "needs_revision", "test_far fails.")
    assert (session.started_at, session.ended_at, session.naive_clock) == (1772359201.0, 1772359216.0, False)
    assert (session.user_messages, session.assistant_messages, session.warnings) == (1, 1, [])
    assert session.environment == {"agent": "rates-agent"}


def test_bare_events_are_read_as_well_as_wrapped_ones() -> None:
    whole = load_sample("claude_managed_agents.jsonl", "claude-managed-agents")
    bare = [record["raw"] for record in SAMPLE]
    for content in (lines(*bare), json.dumps(bare), json.dumps({"data": bare})):
        document = Document("claude_managed_agents.jsonl", content)
        assert FORMAT.sniff(document)
        assert list(FORMAT.read(document)) == [whole]


def test_other_threads_are_lanes() -> None:
    main, other = {"session_thread_id": "sthr_main"}, {"session_thread_id": "sthr_0000helper12"}
    session = session_of(
        event(2, "session.thread_status_running", **main),
        event(3, "agent.tool_use", name="read", input={}, **main),
        event(4, "user.message", content="Look.", **other),
        event(5, "agent.tool_use", name="grep", input={}, **other),
        event(6, "agent.tool_result", tool_use_id="e5", content="x", **other),
    )
    assert words(session) == [("user", "Go."), ("harness", "Look.")]
    assert [(call.name, call.lane) for call in session.calls()] == [("read", "main"), ("grep", "agent-helper12")]
    assert [item.lane for item in session.events if isinstance(item, ToolResult)] == ["agent-helper12"]


@table("answers")
def test_answers(events: list[Json], mark: Mark | None) -> None:
    session = session_of(*events)
    assert [found for *_, found in results(session)] == [mark]
    assert answered(session)[0][1]


@table("how_it_ended")
def test_how_it_ended(events: list[Json], ending: Ending | None, status: str | None) -> None:
    session = session_of(*events)
    assert (session.ending, session.recorded_status) == (ending, status)


def test_a_repeated_event_is_read_once() -> None:
    use = event(2, "agent.tool_use", name="x", input={})
    assert len(calls(session_of(use, use))) == 1


def test_unknown_events_are_counted() -> None:
    session = session_of(event(2, "agent.dream"), event(3, "agent.dream"), event(4, "session.party"), {"type": 3})
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 2", "unknown event 'agent.dream'; skipped (2 times, first here)"),
        ("line 4", "unknown event 'session.party'; skipped"),
        ("line 5", "no event of a managed agent; skipped"),
    ]
