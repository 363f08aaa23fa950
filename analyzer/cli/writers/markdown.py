"""Markdown: the page that everything else is made after. Where a terminal shows it, escapes are taken out."""

from __future__ import annotations

from analyzer.cli.console.safe_text import without_escapes
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


def _post_mortem(result: PostMortemResult, target: Target) -> str:
    from analyzer.report import markdown

    return _shown(markdown.render(result.report), target)


def _audit(result: AuditResult, target: Target) -> str:
    from analyzer.report.audit import render

    return _shown(render(result.report), target)


def _timeline(result: TimelineResult, target: Target) -> str:
    from analyzer.report.action_table import markdown

    return _shown(markdown.render(result.tables, full=result.full), target)


def _comparison(result: ComparisonResult, target: Target) -> str:
    from analyzer.report import comparison

    return _shown(comparison.render(result.comparison), target)


def _backtest(result: BacktestResult, target: Target) -> str:
    from analyzer.report.backtest import render

    return _shown(render(result.backtest), target)


def _case_study(result: CaseStudyResult, target: Target) -> str:
    from analyzer.report.case_study import render

    return _shown(render(result.study, result.templates, result.template), target)


def _case_study_index(result: CaseStudyIndexResult, target: Target) -> str:
    from analyzer.report.case_study import render_index

    return _shown(render_index(result.index, result.templates), target)


def _shown(text: str, target: Target) -> str:
    return without_escapes(text) if target.terminal else text


MARKDOWN = Writer(
    "markdown",
    {
        PostMortemResult: _post_mortem,
        AuditResult: _audit,
        TimelineResult: _timeline,
        ComparisonResult: _comparison,
        BacktestResult: _backtest,
        CaseStudyResult: _case_study,
        CaseStudyIndexResult: _case_study_index,
    },
    (".md", ".markdown"),
)
