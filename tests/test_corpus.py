"""Real transcripts: each gives a whole report, whose rows contradict no result and of which a guard would have raised
every finding live, or says clearly why it can't be read."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from analyzer.api import Loaded, load, report_of
from analyzer.model.errors import UnreadableInput
from analyzer.model.postmortem import PostMortem, Report
from analyzer.report import json as json_report
from analyzer.report import markdown
from tests.drawn import depth
from tests.dress.consistency import contradictions
from tests.live import found, raised
from tests.report.rendered import OURS, rendered

pytestmark = [pytest.mark.slow, pytest.mark.sampled]

ALWAYS = ("claude-code", "swe-agent", "mini-swe-agent", "openhands", "openhands-sdk", "chat-trajectory")
"""Formats of which every file can be read."""
OTHERS = (
    *(
        "agentrx",
        "aider",
        "atif",
        "claude-managed-agents",
        "cline",
        "codex",
        "codex-exec-json",
        "codex-legacy",
        "copilot-cli",
    ),
    *("gemini-cli", "inspect-ai", "inspect-events", "intercode", "magentic-one", "openclaw-telemetry", "opencode"),
    *(
        "openhands-llm-log",
        "openhands-parsed-text",
        "otlp",
        "reflexion-logs",
        "schema-fixtures",
        "tau-bench",
        "tau2-bench",
    ),
    *("terminal-bench", "who-and-when"),
)
LARGEST = depth(150_000, 1_000_000_000)
"""Bytes of a transcript that is tried; of a format that has only larger ones, it's the smallest."""
LARGEST_PAGE = 3_000_000
"""Bytes of a transcript up to which its page is rendered."""
LARGEST_LIVE = 400_000
"""Bytes of a transcript up to which its first sessions are fed to a guard."""
LIVE_SESSIONS = 4


def files(corpus: Path, name: str) -> list[Path]:
    rows = map(json.loads, (corpus / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines())
    paths = [corpus / row["path"] for row in rows if row["format"] == name]
    return [path for path in paths if path.stat().st_size <= LARGEST] or [
        min(paths, key=lambda path: path.stat().st_size)
    ]


def read(path: Path) -> Loaded | UnreadableInput:
    try:
        return load(path)
    except UnreadableInput as error:
        return error


def check_steps(session: PostMortem) -> None:
    by_lane: dict[str, list[int]] = {}
    for row in session.timeline:
        by_lane.setdefault(row.lane, []).append(row.step)
    assert all(steps == list(range(1, len(steps) + 1)) for steps in by_lane.values())
    assert sum(map(len, by_lane.values())) == session.session.actions
    assert set(by_lane) <= set(session.session.lanes)
    for failure in session.failures:
        assert failure.step in by_lane[failure.lane]
    for group in session.failure_groups:
        assert group.count == len(group.steps) > 1
        assert set(group.steps) <= set(by_lane[group.lane])
    for finding in session.findings:
        assert finding.lane in session.session.lanes, finding.title
        known = by_lane.get(finding.lane, [0])  # a session of talk has no step: its findings lie before the first
        named = [
            finding.first_step,
            finding.last_step,
            finding.detectable_at,
            *finding.steps,
            *(entry.step for entry in finding.evidence),
        ]
        assert set(named) <= set(known), finding.title
        assert finding.first_step <= finding.detectable_at <= finding.last_step, finding.title
        assert finding.steps == sorted(set(finding.steps)), finding.title
        assert finding.evidence, finding.title
        assert all(entry.quote.strip() for entry in finding.evidence), finding.title
        assert finding.title.strip()
    main = by_lane.get("main", [])
    assert set(session.outcome.evidence_steps) <= set(main)
    assert session.outcome.reason.rstrip('"”’').endswith((".", "!", "?", "…"))
    longest = max((steps for steps in by_lane.values()), key=len, default=[])
    assert all(policy.at_step is None or policy.at_step in longest for policy in session.early_stop.policies)


@pytest.mark.parametrize("name", [*ALWAYS, *OTHERS])
def test_every_transcript_gives_a_report(corpus: Path, name: str) -> None:
    for path in files(corpus, name):
        loaded = read(path)
        if isinstance(loaded, UnreadableInput):
            assert name not in ALWAYS, path
            assert str(path) in loaded.message
            assert loaded.what.endswith((".", ")"))
            continue
        size = path.stat().st_size
        report = report_of(loaded)
        assert report.sessions
        for session in report.sessions:
            check_steps(session)
        assert [found for timeline in loaded.sessions for found in contradictions(timeline)] == [], path
        text = json_report.render(report)
        assert Report.model_validate_json(text).model_dump() == json.loads(text), path
        if size < LARGEST_PAGE:
            page = rendered(markdown.render(report))
            assert page.tags <= OURS, path
            assert (page.unbalanced, page.open) == ([], []), path
        if size <= LARGEST_LIVE:
            for timeline in loaded.sessions[:LIVE_SESSIONS]:
                assert found(timeline) - raised(timeline.session) == Counter(), path
