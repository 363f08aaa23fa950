"""Sessions of Factory's droid: messages, results, the harness' words, and what damage costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.audit.sources.discover import LocalTree
from analyzer.formats import load_bundle
from analyzer.formats.container.bundle import DirectoryBundle
from analyzer.formats.loading.folders import units
from analyzer.model.session import Compaction, Tokens
from analyzer.model.words import Kind, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import words
from tests.formats.reading import lines_of, read_lines

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


def test_the_settings_beside_it_have_the_model_and_the_tokens(tmp_path: Path) -> None:
    usage = {"inputTokens": 100, "outputTokens": 20, "cacheReadTokens": 40, "cacheCreationTokens": 5}
    (tmp_path / "d-1.jsonl").write_bytes(lines_of(SAMPLE))
    (tmp_path / "d-1.settings.json").write_text(json.dumps({"model": "example-4", "tokenUsage": usage}), "utf-8")
    (tmp_path / "d-2.jsonl").write_bytes(lines_of(SAMPLE))
    first, second = units(LocalTree(str(tmp_path)))
    assert (first.members, second.members) == (("d-1.jsonl", "d-1.settings.json"), ())
    transcript = load_bundle(DirectoryBundle(tmp_path, members=first.members), "d-1.jsonl")
    (session,) = transcript.sessions
    assert (transcript.format, session.model, session.tokens) == ("droid", "example-4", Tokens(145, 20, 40, 5))


def test_damaged_settings_cost_only_themselves(tmp_path: Path) -> None:
    (tmp_path / "d-1.jsonl").write_bytes(lines_of(SAMPLE))
    (tmp_path / "d-1.settings.json").write_bytes(b"\x00")
    (session,) = load_bundle(DirectoryBundle(tmp_path), "d-1.jsonl").sessions
    assert (session.id, session.tokens) == ("d-1", Tokens())


def test_unknown_things_are_counted() -> None:
    content = [{"type": "riddle"}, {"type": "tool_use"}]
    session = read_lines(
        [
            {"type": "session_start", "id": "d", "cwd": "/"},
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
