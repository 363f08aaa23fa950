"""JSON: the models themselves (docs/json-output.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.cli.console.target import Target
from analyzer.cli.writers.interface import Writer
from analyzer.cli.writers.results import (
    AuditResult,
    BacktestResult,
    CaseStudyIndexResult,
    CaseStudyResult,
    ComparisonResult,
    PostMortemResult,
    TimelineResult,
)

if TYPE_CHECKING:
    from pydantic import BaseModel


def _post_mortem(result: PostMortemResult, _: Target) -> str:
    return _model(result.report)


def _audit(result: AuditResult, _: Target) -> str:
    return _model(result.report)


def _timeline(result: TimelineResult, _: Target) -> str:
    from analyzer.report.action_table.records import render_json

    return render_json(result.tables, full=result.full)


def _comparison(result: ComparisonResult, _: Target) -> str:
    return _model(result.comparison)


def _backtest(result: BacktestResult, _: Target) -> str:
    return _model(result.backtest)


def _case_study(result: CaseStudyResult, _: Target) -> str:
    return _model(result.study)


def _case_study_index(result: CaseStudyIndexResult, _: Target) -> str:
    return _model(result.index)


def _model(model: BaseModel) -> str:
    from analyzer.report import json

    return json.render(model)


JSON = Writer(
    "json",
    {
        PostMortemResult: _post_mortem,
        AuditResult: _audit,
        TimelineResult: _timeline,
        ComparisonResult: _comparison,
        BacktestResult: _backtest,
        CaseStudyResult: _case_study,
        CaseStudyIndexResult: _case_study_index,
    },
    (".json",),
)
