"""Markdown: the page that everything else is made after. Where a terminal shows it, escapes are taken out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

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


def _post_mortem(result: PostMortemResult) -> str:
    from analyzer.report import markdown

    return markdown.render(result.report)


def _audit(result: AuditResult) -> str:
    from analyzer.report.audit import render

    return render(result.report)


def _timeline(result: TimelineResult) -> str:
    from analyzer.report.action_table import render

    return render(result.tables, full=result.full)


def _comparison(result: ComparisonResult) -> str:
    from analyzer.report import comparison

    return comparison.render(result.comparison)


def _backtest(result: BacktestResult) -> str:
    from analyzer.report.backtest import render

    return render(result.backtest)


def _case_study(result: CaseStudyResult) -> str:
    from analyzer.report.case_study import render

    return render(result.study, result.templates, result.template)


def _case_study_index(result: CaseStudyIndexResult) -> str:
    from analyzer.report.case_study import render_index

    return render_index(result.index, result.templates)


PAGES: Mapping[type, Callable[[Any], str]] = MappingProxyType(
    {
        PostMortemResult: _post_mortem,
        AuditResult: _audit,
        TimelineResult: _timeline,
        ComparisonResult: _comparison,
        BacktestResult: _backtest,
        CaseStudyResult: _case_study,
        CaseStudyIndexResult: _case_study_index,
    }
)
"""What makes the page of each kind of result."""


def _shown(result: object, target: Target) -> str:
    text = PAGES[type(result)](result)
    return without_escapes(text) if target.terminal else text


MARKDOWN = Writer("markdown", dict.fromkeys(PAGES, _shown), (".md", ".markdown"))
