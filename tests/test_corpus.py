"""Real transcripts: each gives a whole report, or says clearly why it can't be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer import analyze
from analyzer.model.errors import UnreadableInput
from analyzer.model.postmortem import PostMortem, Report
from analyzer.report import json as json_report
from analyzer.report import markdown
from tests.report.rendered import OURS, rendered

pytestmark = pytest.mark.slow

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
LARGEST = 3_000_000
"""Bytes of a transcript up to which its page is also rendered."""


def files(corpus: Path, name: str) -> Iterator[Path]:
    for line in (corpus / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["format"] == name:
            yield corpus / entry["path"]


def read(path: Path) -> Report | UnreadableInput:
    try:
        return analyze(path)
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
    assert session.outcome.reason.endswith((".", "!", "?", "…"))
    longest = max((steps for steps in by_lane.values()), key=len, default=[])
    assert all(policy.at_step is None or policy.at_step in longest for policy in session.early_stop.policies)


@pytest.mark.parametrize("name", [*ALWAYS, *OTHERS])
def test_every_transcript_gives_a_report(corpus: Path, name: str) -> None:
    for path in files(corpus, name):
        report = read(path)
        if isinstance(report, UnreadableInput):
            assert name not in ALWAYS, path
            assert str(path) in report.message
            assert report.what.endswith((".", ")"))
            continue
        assert report.sessions
        for session in report.sessions:
            check_steps(session)
        text = json_report.render(report)
        assert json_report.render(Report.model_validate_json(text)) == text
        if path.stat().st_size < LARGEST:
            page = rendered(markdown.render(report))
            assert page.tags <= OURS, path
            assert (page.unbalanced, page.open) == ([], []), path
