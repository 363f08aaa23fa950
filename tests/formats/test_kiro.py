"""Sessions of Kiro's command line: calls, results with their exit codes, and what damage costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.audit.sources.discover import LocalTree
from analyzer.formats import load_bundle
from analyzer.formats.container.bundle import DirectoryBundle
from analyzer.formats.loading.folders import units
from analyzer.model.session import Compaction, Session
from analyzer.model.words import Kind, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import results
from tests.formats.reading import lines_of, read_lines

Json = dict[str, Any]
SAMPLE: list[Json] = [json.loads(line) for line in (SAMPLES / "kiro.jsonl").read_text(encoding="utf-8").splitlines()]


def record(kind: str, *blocks: tuple[str, object]) -> Json:
    content = [{"kind": name, "data": data} for name, data in blocks]
    return {"version": "v1", "kind": kind, "data": {"content": content}}


def read(*records: object) -> Session:
    return read_lines(records, "kiro")


def test_the_sample_of_ours() -> None:
    session = load_sample("kiro.jsonl", "kiro")
    assert (session.agent, session.model, session.task) == ("Kiro CLI", "example-4", "The gate creaks. Fix it.")
    assert (session.user_messages, session.assistant_messages, session.started_at) == (1, 3, 1777881600.0)
    assert [(one.kind, one.exit_code, one.status) for one in build_timeline(session).actions] == [
        (Kind.TEST, 1, Status.ERROR),
        (Kind.READ, None, Status.OK),
        (Kind.EDIT, None, Status.ERROR),
    ]
    assert results(session)[0][0] == "1 failed\nwarning: old hinge"
    assert sum(isinstance(event, Compaction) for event in session.events) == 1


def test_a_command_without_an_exit_status_has_no_code() -> None:
    output = {"exit_status": "signal: 9 (SIGKILL)", "stdout": "", "stderr": "killed"}
    result = {"toolUseId": "t", "content": [{"kind": "json", "data": output}], "status": "success"}
    assert results(read(record("ToolResults", ("toolResult", result)))) == [("killed", None, None, None)]


def test_the_file_beside_it_has_the_folder_and_the_times(tmp_path: Path) -> None:
    about = {"session_id": "k", "cwd": "/srv/gate", "created_at": "2026-05-04T07:59:00Z"}
    (tmp_path / "k.jsonl").write_bytes(lines_of(SAMPLE))
    (tmp_path / "k.json").write_text(json.dumps(about), "utf-8")
    (unit,) = units(LocalTree(str(tmp_path)))
    (session,) = load_bundle(DirectoryBundle(tmp_path, members=unit.members), "k.jsonl").sessions
    assert (session.id, session.environment, session.started_at) == (
        "k",
        {"working directory": "/srv/gate"},
        1777881540.0,
    )


def test_unknown_things_are_counted() -> None:
    session = read(
        record("Prompt", ("text", "Go")),
        record("Riddle"),
        record("AssistantMessage", ("riddle", 1), ("toolUse", {"input": {}})),
        record("ToolResults", ("toolResult", None)),
    )
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 2", "unknown kind of record 'Riddle'; skipped"),
        ("line 3", "unknown content block 'riddle'; skipped"),
        ("line 3", "tool call without a name, kept as 'unknown'"),
        ("line 4", "result without data; skipped"),
    ]
