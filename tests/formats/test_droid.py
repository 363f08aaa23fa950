"""Sessions of Factory's droid: messages, results, the harness' words, and what damage costs."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from analyzer.formats.container.document import Document
from analyzer.formats.droid import FORMAT
from analyzer.model.session import Compaction
from analyzer.model.words import Kind, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import words
from tests.formats.json_lines import lines_of, read_lines
from tests.formats.mutations import mutated, read_or_refuse

Json = dict[str, Any]
SAMPLE: list[Json] = [json.loads(line) for line in (SAMPLES / "droid.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_sample_of_ours() -> None:
    session = load_sample("droid.jsonl", "droid")
    assert (session.id, session.title, session.agent) == ("d-1", "Blunt saw", "Factory droid")
    assert (session.task, session.user_messages, session.assistant_messages) == ("The saw is blunt. Fix it.", 1, 2)
    assert session.environment == {"working directory": "/srv/saw"}
    assert words(session)[0] == ("harness", "<system-reminder>\nIt is May.\n</system-reminder>")
    assert [(one.kind, one.status, one.duration) for one in build_timeline(session).actions] == [
        (Kind.TEST, Status.ERROR, 3.0),
        (Kind.READ, Status.OK, 3.0),
    ]
    assert sum(isinstance(event, Compaction) for event in session.events) == 1
    assert session.warnings == []


def test_unknown_things_are_counted() -> None:
    content = [{"type": "riddle"}, {"type": "tool_use"}]
    session = read_lines(
        [
            {"type": "session_start", "id": "d"},
            {"type": "riddle"},
            {"type": "message", "message": {"role": "ghost"}},
            {"type": "message", "message": {"role": "assistant", "content": content}},
        ],
        "droid",
    )
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 2", "unknown type of record 'riddle'; skipped"),
        ("line 3", "message of neither the user nor the agent; skipped"),
        ("line 4", "unknown content block 'riddle'; skipped"),
        ("line 4", "tool call without a name, kept as 'unknown'"),
    ]


def test_other_documents_are_not_taken() -> None:
    assert not FORMAT.sniff(Document("x.jsonl", '{"type": "session", "id": "x", "cwd": "/"}'))


@given(mutated(SAMPLE))
def test_any_damage_gives_a_session_or_a_refusal(records: Any) -> None:
    data = lines_of(records if isinstance(records, list) else [records])
    for session in read_or_refuse(data) + read_or_refuse(data, "droid"):
        json.dumps([str(one) for one in session.events])
