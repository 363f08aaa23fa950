"""Cursor's transcripts and databases: who said what, calls with their results, and what damage costs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from analyzer.formats.loading.load import load, load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session, Tokens
from analyzer.model.words import Kind, Mark, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.databases import bytes_of, database_of
from tests.formats.events import answered, calls, results, words
from tests.formats.mutations import mutated, read_or_refuse
from tests.formats.reading import read_lines, session_in
from tests.tables import table

Json = dict[str, Any]


def line(role: str, *blocks: Json) -> Json:
    return {"role": role, "message": {"content": list(blocks)}}


def stored(*bubbles: object, **about: object) -> bytes:
    headers = [{"bubbleId": f"b{number}"} for number in range(len(bubbles))]
    rows: list[tuple[str, object]] = [
        ("composerData:c1", {"composerId": "c1", "fullConversationHeadersOnly": headers, **about})
    ]
    rows += [(f"bubbleId:c1:b{number}", one) for number, one in enumerate(bubbles) if one is not None]
    values = ", ".join(f"('{key}', '{json.dumps(value).replace(chr(39), chr(39) * 2)}')" for key, value in rows)
    return bytes_of(
        f"CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB); INSERT INTO cursorDiskKV VALUES {values}"
    )


def conversation(*bubbles: object, **about: object) -> Session:
    return session_in(stored(*bubbles, **about), "cursor")


def tool(**more: object) -> Json:
    return {"type": 2, "text": "", "toolFormerData": {"name": "read_file", "toolCallId": "t", **more}}


def test_the_transcript_of_ours() -> None:
    session = load_sample("cursor.jsonl", "cursor")
    assert (session.agent, session.task, session.user_messages, session.assistant_messages) == (
        "Cursor",
        "Why is the bell silent?",
        1,
        3,
    )
    assert words(session)[0] == ("harness", "<open_files>\nbell.py\n</open_files>")
    assert calls(session) == [("Read", {"path": "rope.py"}), ("Shell", {"command": "pytest -q"})]
    assert (results(session), session.warnings) == ([], [])


def test_the_database_of_ours() -> None:
    transcript = load(database_of(SAMPLES / "cursor.sql"))
    new, old = transcript.sessions
    assert (new.id, new.title, new.model, new.task) == ("bell-1", "Silent bell", "example-4", "Why is the bell silent?")
    assert (new.tokens, new.started_at, new.ended_at) == (Tokens(900, 60), 1777881600.0, 1777881640.0)
    assert [(one.kind, one.exit_code, one.status) for one in build_timeline(new).actions] == [
        (Kind.TEST, 1, Status.ERROR),
        (Kind.READ, None, Status.OK),
        (Kind.EDIT, None, Status.ERROR),
    ]
    assert [text for text, *_ in results(new)] == ["1 failed", "ROPE = None", "File is locked"]
    assert (old.id, words(old)) == ("old-1", [("user", "Which bell is it?"), ("assistant", "The large one.")])


def test_results_of_a_transcript_belong_to_the_first_call_without_one() -> None:
    session = read_lines(
        [
            line("assistant", {"type": "tool_use", "name": "Read"}, {"type": "tool_use", "name": "Shell"}),
            line("user", {"type": "tool_result", "tool_use_id": "t1", "content": "a"}),
            line("user", {"type": "tool_result", "tool_use_id": "t2", "content": "b", "is_error": True}),
        ],
        "cursor",
    )
    assert (answered(session), [flag for _, flag, *_ in results(session)]) == (
        [("Read", "a"), ("Shell", "b")],
        [None, True],
    )


@table("what_came_of_a_call")
def test_what_came_of_a_call(more: Json, text: str, is_error: bool | None, mark: Mark | None) -> None:
    assert results(conversation(tool(**more))) == [(text, is_error, None, mark)]


@pytest.mark.parametrize("status", ["loading", "running", None])
def test_a_call_that_did_not_end_has_no_result(status: str | None) -> None:
    session = conversation(tool(status=status))
    assert (len(calls(session)), results(session), session.warnings) == (1, [], [])


def test_unknown_things_are_counted() -> None:
    session = conversation(
        {"type": 1, "text": "Go"}, None, {"type": 7}, tool(status="odd"), {"type": 2, "toolFormerData": {"x": 1}}
    )
    lines = read_lines(
        [line("user", {"type": "riddle"}), line("assistant", {"type": "tool_use"}), *[line("user")] * 3, line("ghost")],
        "cursor",
    )
    assert [one.what for one in session.warnings + lines.warnings] == [
        "a message that the conversation lists isn't in the database; left out",
        "bubble of neither the user nor the agent; skipped",
        "unknown status of a tool 'odd'; its result isn't read",
        "tool call without a name, kept as 'unknown'",
        "unknown content block 'riddle'; skipped",
        "tool call without a name, kept as 'unknown'",
        "line of neither the user nor the agent; skipped",
    ]


def test_a_database_without_conversations_is_refused() -> None:
    with pytest.raises(UnreadableInput, match="none that a known agent"):
        load_bytes(bytes_of("CREATE TABLE ItemTable (key TEXT, value BLOB)"), "state.vscdb")


@given(
    mutated([{"type": 1, "text": "Go"}, tool(status="completed", result='{"output": "x"}'), {"type": 2, "text": "x"}])
)
def test_any_damage_of_bubbles_gives_a_session_or_a_refusal(bubbles: Any) -> None:
    if isinstance(bubbles, list):
        for session in read_or_refuse(stored(*bubbles), "cursor"):
            json.dumps([str(one) for one in session.events])
