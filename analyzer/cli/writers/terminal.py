"""The page as a terminal shows it: wrapped, coloured where wished, the folded parts left out or opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.cli.console.target import Target
from analyzer.cli.writers.interface import Writer
from analyzer.cli.writers.markdown import PAGES
from analyzer.cli.writers.results import (
    BacktestResult,
    CaseStudyResult,
    ComparisonResult,
    PostMortemResult,
    TimelineResult,
)

if TYPE_CHECKING:
    from analyzer.report.picture.model import PictureModel


def _post_mortem(result: PostMortemResult, target: Target) -> str:
    """The Markdown with pictures that know colours in place of its own."""
    from analyzer.cli.console.terminal import PICTURE, render
    from analyzer.report import markdown

    pictures: list[PictureModel] = []

    def draw(picture: PictureModel) -> str:
        pictures.append(picture)
        return f"```{PICTURE}\n{len(pictures) - 1}\n```"

    page = markdown.render(result.report, draw, narrow=True)
    return render(page, color=target.colored, unfold=target.unfold, pictures=pictures, unicode=target.unicode)


def _timeline(result: TimelineResult, target: Target) -> str:
    from analyzer.cli.console.action_table import render

    return render(result.tables, color=target.colored, unicode=target.unicode, width=target.width, full=result.full)


def _backtest(result: BacktestResult, target: Target) -> str:
    from analyzer.report.backtest import render

    return _page(render(result.backtest, narrow=True), target)


def _markdown(result: ComparisonResult | CaseStudyResult, target: Target) -> str:
    return _page(PAGES[type(result)](result), target)


def _page(markdown: str, target: Target) -> str:
    from analyzer.cli.console.terminal import render

    return render(markdown, color=target.colored, unfold=target.unfold)


TERMINAL = Writer(
    "terminal",
    {
        PostMortemResult: _post_mortem,
        TimelineResult: _timeline,
        ComparisonResult: _markdown,
        BacktestResult: _backtest,
        CaseStudyResult: _markdown,
    },
)
