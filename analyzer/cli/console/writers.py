"""The formats of the output, in the order of the help: what writes each kind of result in each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.cli.console.output import Target, without_escapes
from analyzer.cli.console.results import (
    AlarmResult,
    AuditResult,
    BacktestResult,
    CaseStudyIndexResult,
    CaseStudyResult,
    CheckResult,
    ComparisonResult,
    CostsResult,
    DifferenceResult,
    PostMortemResult,
    SearchResult,
    TimelineResult,
    alarm_text,
    check_text,
    costs_text,
    difference_text,
    search_text,
)
from analyzer.model.words import Severity

if TYPE_CHECKING:
    from analyzer.report.picture.model import PictureModel
    from analyzer.report.results import Results

Render = Callable[[Any, Target], str]
"""Turns a result of one class of `analyzer.cli.console.results` into the text to write."""


@dataclass(frozen=True, slots=True)
class Writer:
    """One format: its name for `--format`, the suffixes of files that mean it, and how it writes each kind of result.

    A result whose class is no key of `renders` can't be written in this format. What a function of `renders` needs is
    imported when it is called. A writer that is listed in `WRITERS` is offered by every command whose result it writes.
    """

    name: str
    renders: Mapping[type, Render]
    suffixes: tuple[str, ...] = ()
    shows_texts: bool = field(default=False, kw_only=True)
    """Whether a post-mortem in this format shows what was said, sent and received at each step."""

    def render(self, result: object, target: Target) -> str:
        """The text of a result, for the place where it goes."""
        return self.renders[type(result)](result, target)

    @property
    def suffix(self) -> str:
        """The suffix of a file in this format."""
        return self.suffixes[0] if self.suffixes else ""


def _by(function: str, *fields: str, **named: str) -> Render:
    """Writes a result with a `function` below `analyzer.report`, which gets these fields of it in their order, and
    those that are `named` by name."""

    def render(result: Any, _: Target) -> str:
        by_name = {key: getattr(result, entry) for key, entry in named.items()}
        return _called(function, *(getattr(result, entry) for entry in fields), **by_name)

    return render


def _called(function: str, *given: Any, **named: Any) -> str:
    module, name = f"analyzer.report.{function}".rsplit(".", 1)
    made: str = getattr(import_module(module), name)(*given, **named)
    return made


def _page(function: str, *fields: str, **named: str) -> Render:
    """The same for Markdown: where a terminal shows it, escapes are taken out."""
    render = _by(function, *fields, **named)
    return lambda result, target: without_escapes(render(result, target)) if target.terminal else render(result, target)


def _json(value: Any, indent: int | None = 2) -> str:
    from analyzer.report.json import dump

    return dump(value, indent)


def _post_mortem_on_terminal(result: PostMortemResult, target: Target) -> str:
    """The Markdown with pictures that know colours in place of its own."""
    from analyzer.cli.console.terminal import PICTURE, render
    from analyzer.report import markdown

    pictures: list[PictureModel] = []

    def draw(picture: PictureModel) -> str:
        pictures.append(picture)
        return f"```{PICTURE}\n{len(pictures) - 1}\n```"

    page = markdown.render(result.report, draw, narrow=True)
    return render(page, color=target.colored, unfold=target.unfold, pictures=pictures, unicode=target.unicode)


def _timeline_on_terminal(result: TimelineResult, target: Target) -> str:
    from analyzer.cli.console.action_table import render

    return render(result.tables, color=target.colored, unicode=target.unicode, width=target.width, full=result.full)


def _page_on_terminal(result: BacktestResult | ComparisonResult | CaseStudyResult, target: Target) -> str:
    from analyzer.cli.console.terminal import render

    if isinstance(result, BacktestResult):
        markdown = _called("backtest.render", result.backtest, narrow=True)
    else:
        markdown = PAGES[type(result)](result, target)
    return render(markdown, color=target.colored, unfold=target.unfold)


def _findings_of(result: PostMortemResult | AuditResult) -> Results:
    """The findings as rows."""
    from analyzer.report.results import Results

    if isinstance(result, PostMortemResult):
        return Results.of_report(result.report)
    return Results.of_tables(*map(result.store.rows, ("sessions", "findings", "failures", "problems")))


def _sarif(result: PostMortemResult | AuditResult, _: Target) -> str:
    import analyzer
    from analyzer.detectors.engine.registry import manual_pages
    from analyzer.report.ci import sarif

    pages = manual_pages(result.asked.select, result.asked.ignore)
    return sarif(_findings_of(result), pages, analyzer.__version__, str(Path.cwd()))


def _junit(result: PostMortemResult | AuditResult, _: Target) -> str:
    """Each detector as a test, which fails from the severity of `--fail-on` on, by default from `low` on."""
    from analyzer.detectors.engine.registry import manual_pages
    from analyzer.report.ci import junit

    asked = result.asked
    level = Severity(asked.fail_on) if asked.fail_on else Severity.LOW
    return junit(_findings_of(result), list(manual_pages(asked.select, asked.ignore)), str(Path.cwd()), level)


def _github(result: PostMortemResult | AuditResult, _: Target) -> str:
    """Annotations of GitHub Actions: one line of standard output per finding."""
    from analyzer.report.ci import github

    return github(_findings_of(result), str(Path.cwd()))


PAGES: Mapping[type, Render] = {
    PostMortemResult: _page("markdown.render", "report"),
    AuditResult: _page("audit.render", "report"),
    TimelineResult: _page("action_table.render", "tables", full="full"),
    ComparisonResult: _page("comparison.render", "comparison"),
    BacktestResult: _page("backtest.render", "backtest"),
    CaseStudyResult: _page("case_study.render", "study", "templates", "template"),
    CaseStudyIndexResult: _page("case_study.render_index", "index", "templates"),
}
"""What makes the Markdown of each kind of result: the page that everything else is made after."""

MARKDOWN = Writer("markdown", PAGES, (".md", ".markdown"))
WRITERS = (
    Writer(
        "text",
        {
            CheckResult: check_text,
            AlarmResult: alarm_text,
            DifferenceResult: difference_text,
            SearchResult: search_text,
            CostsResult: costs_text,
        },
        (".diff", ".patch"),
    ),
    MARKDOWN,
    Writer(
        "html",
        {
            PostMortemResult: _by("html.session.render", "report", "recordings"),
            ComparisonResult: _by("html.comparison.render", "comparison"),
            BacktestResult: _by("html.backtest.render", "backtest"),
            CaseStudyResult: _by("html.case_study.render", "study", "templates", "template"),
            CaseStudyIndexResult: _by("html.case_study.render_index", "index", "templates"),
        },
        (".html", ".htm"),
        shows_texts=True,
    ),
    Writer(
        "json",
        {
            PostMortemResult: _by("json.render", "report"),
            AuditResult: _by("json.render", "report"),
            TimelineResult: _by("records.render_json", "tables", full="full"),
            ComparisonResult: _by("json.render", "comparison"),
            BacktestResult: _by("json.render", "backtest"),
            CaseStudyResult: _by("json.render", "study"),
            CaseStudyIndexResult: _by("json.render", "index"),
            DifferenceResult: _by("json.render", "report"),
            SearchResult: _by("json.render", "search"),
            CostsResult: _by("json.render", "costs"),
            CheckResult: lambda result, _: _json([checkup.as_dict() for checkup in result.checkups]),
            # One line, since more follow.
            AlarmResult: lambda result, _: _json({"session": result.session, **result.alarm.model_dump()}, None),
        },
        (".json",),
    ),
    Writer(
        "terminal",
        {
            PostMortemResult: _post_mortem_on_terminal,
            TimelineResult: _timeline_on_terminal,
            ComparisonResult: _page_on_terminal,
            BacktestResult: _page_on_terminal,
            CaseStudyResult: _page_on_terminal,
        },
    ),
    Writer(
        "csv",
        {
            TimelineResult: _by("records.render_csv", "tables", full="full"),
            BacktestResult: _by("records.backtest_csv", "backtest"),
            CostsResult: _by("audit_spending.costs_csv", "costs"),
        },
        (".csv",),
    ),
    Writer("jsonl", {TimelineResult: _by("records.render_jsonl", "tables", full="full")}, (".jsonl", ".ndjson")),
    Writer("sarif", {PostMortemResult: _sarif, AuditResult: _sarif}, (".sarif",)),
    Writer("junit", {PostMortemResult: _junit, AuditResult: _junit}),
    Writer("github", {PostMortemResult: _github, AuditResult: _github}),
)
"""The formats; a new one is an entry here."""


def writers_of(result: type) -> dict[str, Writer]:
    """The formats in which results of this class can be written, by name."""
    return {writer.name: writer for writer in WRITERS if result in writer.renders}
