"""JSON lines: one object per action."""

from __future__ import annotations

from analyzer.cli.console.target import Target
from analyzer.cli.writers.interface import Writer
from analyzer.cli.writers.results import TimelineResult


def _timeline(result: TimelineResult, _: Target) -> str:
    from analyzer.report.records import render_jsonl

    return render_jsonl(result.tables, full=result.full)


JSONL = Writer("jsonl", {TimelineResult: _timeline}, (".jsonl", ".ndjson"))
