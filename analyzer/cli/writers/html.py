"""HTML: one page that loads nothing."""

from __future__ import annotations

from analyzer.cli.console.target import Target
from analyzer.cli.writers.interface import Writer
from analyzer.cli.writers.results import (
    BacktestResult,
    CaseStudyIndexResult,
    CaseStudyResult,
    ComparisonResult,
    PostMortemResult,
)


def _post_mortem(result: PostMortemResult, _: Target) -> str:
    from analyzer.report.html.session import render

    return render(result.report, result.recordings)


def _comparison(result: ComparisonResult, _: Target) -> str:
    from analyzer.report.html.comparison import render

    return render(result.comparison)


def _backtest(result: BacktestResult, _: Target) -> str:
    from analyzer.report.html.backtest import render

    return render(result.backtest)


def _case_study(result: CaseStudyResult, _: Target) -> str:
    from analyzer.report.html.case_study import render

    return render(result.study, result.templates, result.template)


def _case_study_index(result: CaseStudyIndexResult, _: Target) -> str:
    from analyzer.report.html.case_study import render_index

    return render_index(result.index, result.templates)


HTML = Writer(
    "html",
    {
        PostMortemResult: _post_mortem,
        ComparisonResult: _comparison,
        BacktestResult: _backtest,
        CaseStudyResult: _case_study,
        CaseStudyIndexResult: _case_study_index,
    },
    (".html", ".htm"),
    shows_texts=True,
)
