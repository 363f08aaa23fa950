"""Goose's database and lines: requests and responses, the harness' words, and what damage costs."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.formats.loading.load import load, load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Compaction, Session, Tokens
from analyzer.model.words import Kind, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.databases import bytes_of, database_of
from tests.formats.events import Result, results, words
from tests.formats.reading import read_lines
from tests.tables import table

Json = dict[str, Any]
SQL = (SAMPLES / "goose.sql").read_text(encoding="utf-8")


def message(role: str, *parts: object, **more: object) -> Json:
    return {"role": role, "created": 1777881600, "content": list(parts), **more}


def read(*messages: object) -> Session:
    return read_lines([message("user", {"type": "text", "text": "Go"}), *messages], "goose")


def response(**result: object) -> Json:
    return message("user", {"type": "toolResponse", "id": "c", "toolResult": result})


def test_the_database_of_ours() -> None:
    (session,) = load(database_of(SAMPLES / "goose.sql")).sessions
    assert (session.id, session.title, session.model, session.tokens) == (
        "20260504_1",
        "Cold oven",
        "example-4",
        Tokens(600, 60),
    )
    assert (session.started_at, session.ended_at, session.naive_clock) == (1777881600.0, 1777881620.0, False)
    assert (session.task, session.user_messages, session.assistant_messages) == ("The oven is cold. Fix it.", 1, 2)
    assert session.environment == {"working directory": "/srv/oven"}
    assert ("harness", "<info>It is May.</info>") in words(session)
    assert [(one.kind, one.exit_code, one.status) for one in build_timeline(session).actions] == [
        (Kind.TEST, 1, Status.ERROR),
        (Kind.READ, None, Status.ERROR),
    ]


def test_the_lines_of_ours() -> None:
    session = load_sample("goose.jsonl", "goose")
    assert (session.title, session.tokens, session.environment) == (
        "Cold oven",
        Tokens(600, 60),
        {"working directory": "/srv/oven"},
    )
    assert results(session) == [("oven.py", None, None, None)]


@table("what_came_of_a_call")
def test_what_came_of_a_call(result: Json, came_of_it: Result) -> None:
    assert results(read(response(**result))) == [came_of_it]


def test_a_notice_of_a_compaction_is_one() -> None:
    notice = {"type": "systemNotification", "notificationType": "conversationCompacted", "msg": "Compacted."}
    session = read(message("assistant", notice))
    assert sum(isinstance(event, Compaction) for event in session.events) == 1
    assert words(session)[-1] == ("harness", "Compacted.")


def test_unknown_things_are_counted() -> None:
    session = read(
        message("user", {"type": "riddle"}), message("ghost"), {"x": 1}, message("assistant", {"type": "toolRequest"})
    )
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 2", "unknown part 'riddle'; skipped"),
        ("line 3", "message of neither the user nor the agent; skipped"),
        ("line 4", "neither a message nor a header; skipped"),
        ("line 5", "tool call without a name, kept as 'unknown'"),
    ]


def test_a_database_in_which_nothing_was_said_is_refused() -> None:
    with pytest.raises(UnreadableInput, match="holds no session of Goose"):
        load_bytes(bytes_of(f"{SQL}; DELETE FROM messages;"), "sessions.db")
