"""Trajectories of OpenClaw: the messages of all runs, once each, and what damage costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.sources.discover import LocalTree
from analyzer.formats.loading.folders import units
from analyzer.model.session import Tokens
from analyzer.model.words import Ending, Kind, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import words
from tests.formats.reading import lines_of, read_lines

Json = dict[str, Any]
SAMPLE: list[Json] = [
    json.loads(line) for line in (SAMPLES / "openclaw_trajectory.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_the_sample_of_ours() -> None:
    session = load_sample("openclaw_trajectory.jsonl", "openclaw-trajectory")
    assert (session.id, session.agent, session.model, session.tokens) == (
        "oc-1",
        "OpenClaw",
        "example-4",
        Tokens(100, 20, 0, 0),
    )
    assert words(session) == [("user", "The kiln overheats."), ("user", "Go on.")]
    assert [(one.kind, one.exit_code, one.status, one.duration) for one in build_timeline(session).actions] == [
        (Kind.TEST, 1, Status.ERROR, 1.5)
    ]
    assert (session.recorded_status, session.ending, session.environment) == (
        "interrupted",
        Ending.CANCELLED,
        {"working directory": "/srv/kiln"},
    )
    assert [(one.what, one.hides_actions) for one in session.warnings] == [
        ("2 messages of a run left out by the recorder", True)
    ]


@pytest.mark.parametrize(
    ("about", "ending"),
    [({"timedOut": True}, Ending.LIMIT), ({"aborted": True}, Ending.CANCELLED), ({"status": "success"}, None)],
)
def test_how_the_last_run_ended(about: Json, ending: Ending | None) -> None:
    last = {"traceSchema": "openclaw-trajectory", "type": "session.ended", "sessionId": "oc-1", "data": about}
    assert read_lines([*SAMPLE, last], "openclaw-trajectory").ending is ending


def test_a_session_is_not_counted_besides_its_own_file(tmp_path: Path) -> None:
    for name in ("a.jsonl", "a.trajectory.jsonl", "b.trajectory.jsonl"):
        (tmp_path / name).write_bytes(lines_of(SAMPLE))
    assert [unit.path for unit in units(LocalTree(str(tmp_path)))] == ["a.jsonl", "b.trajectory.jsonl"]


def test_unknown_things_are_counted() -> None:
    odd = {"traceSchema": "openclaw-trajectory", "type": "riddle", "sessionId": "oc-1"}
    session = read_lines([*SAMPLE, odd, {"x": 1}], "openclaw-trajectory")
    assert [(one.where, one.what) for one in session.warnings][:2] == [
        ("line 7", "no record of a trajectory; skipped"),
        ("line 6", "unknown type of record 'riddle'; skipped"),
    ]
