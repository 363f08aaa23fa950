"""JSON: the models themselves (docs/json-output.md)."""

from __future__ import annotations

from dataclasses import asdict
from operator import attrgetter
from typing import Any

from analyzer.cli.console.target import Target
from analyzer.cli.writers.interface import Render, Writer
from analyzer.cli.writers.results import (
    AlarmResult,
    AuditResult,
    BacktestResult,
    BenchResult,
    CaseStudyIndexResult,
    CaseStudyResult,
    CheckResult,
    ComparisonResult,
    DifferenceResult,
    PostMortemResult,
    SearchResult,
    TimelineResult,
)


def _model(field: str) -> Render:
    """Writes the one model that a result consists of."""
    model_of = attrgetter(field)
    return lambda result, _: _json(model_of(result).model_dump(mode="json"))


def _timeline(result: TimelineResult, _: Target) -> str:
    from analyzer.report.records import render_json

    return render_json(result.tables, full=result.full)


def _check(result: CheckResult, _: Target) -> str:
    return _json([checkup.as_dict() for checkup in result.checkups])


def _bench(result: BenchResult, _: Target) -> str:
    runs = [asdict(run) for run in result.recorded]
    return _json({"runs": runs, "case_study": result.study.model_dump(mode="json")})


def _alarm(result: AlarmResult, _: Target) -> str:
    """One line, since more follow."""
    return _json({"session": result.session, **result.alarm.model_dump(mode="json")}, indent=None)


def _json(value: Any, indent: int | None = 2) -> str:
    from analyzer.report.json import dump

    return dump(value, indent)


JSON = Writer(
    "json",
    {
        PostMortemResult: _model("report"),
        AuditResult: _model("report"),
        TimelineResult: _timeline,
        ComparisonResult: _model("comparison"),
        BacktestResult: _model("backtest"),
        CaseStudyResult: _model("study"),
        CaseStudyIndexResult: _model("index"),
        DifferenceResult: _model("report"),
        SearchResult: _model("search"),
        CheckResult: _check,
        BenchResult: _bench,
        AlarmResult: _alarm,
    },
    (".json",),
)
