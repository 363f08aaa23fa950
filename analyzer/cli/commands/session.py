"""One recorded session: its post-mortem (`analyze-session LOG`), and the table of its actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import ExitCode, LogCommand
from analyzer.cli.console.options import (
    analysis_options,
    fail_on_option,
    flag_option,
    log_argument,
    names_option,
    repeated_option,
    session_option,
    words_option,
)
from analyzer.cli.console.output import is_quiet, note
from analyzer.cli.console.product import Product, gate, product_options
from analyzer.cli.console.results import Asked, PostMortemResult, TimelineResult
from analyzer.model.errors import AnalyzerError
from analyzer.model.words import Severity, ShownKind, Status
from analyzer.text.english import one_or_many, plural

if TYPE_CHECKING:
    from analyzer.api import Loaded
    from analyzer.audit.settings import Settings
    from analyzer.model.postmortem import Report
    from analyzer.model.step_texts import Recording
    from analyzer.report.action_table import Table

_LONGEST = 4_000
"""Characters of one text that `--full` shows."""
_ENDLESS = 1 << 62
_LISTED = 20


def judged(log: str, analysis: Settings, session_id: str | None) -> tuple[Report, Loaded]:
    """The report on a file, on the session of that id alone where one is named, and what was read."""
    from analyzer.api import load, report_of, with_id

    loaded = load(log, analysis.input_format, masks=analysis.masks, redact=analysis.redact)
    report = report_of(
        loaded, select=analysis.select, ignore=analysis.ignore, settings=analysis.options, prices=analysis.prices
    )
    chosen = with_id(report.sessions, session_id, lambda entry: entry.session.id, report.source.path)
    return report.model_copy(update={"sessions": chosen}), loaded


def recordings_of(report: Report, loaded: Loaded, *limit: int) -> list[Recording]:
    """The texts of a report's sessions, with at most `limit` characters of each."""
    from analyzer.diagnosis.step_texts import recording_of

    shown = {entry.session.id for entry in report.sessions}
    return [recording_of(timeline, *limit) for timeline in loaded.sessions if timeline.session.id in shown]


@click.command("post-mortem", cls=LogCommand, short_help="Write the post-mortem of one recorded session.")
@log_argument
@product_options(PostMortemResult, unfold="Expand the collapsed sections on the terminal; list what could not be read.")
@analysis_options
@session_option
@fail_on_option
@click.pass_context
def post_mortem(
    context: click.Context, log: str, product: Product, analysis: Settings, session_id: str | None, fail_on: str | None
) -> ExitCode:
    """Write the post-mortem of the recorded session LOG (the default command; - is standard input).

    \b
    Examples:
      analyze-session run.json
      analyze-session run.jsonl -o post-mortem.md
      analyze-session run.jsonl -o post-mortem.html
      analyze-session - < run.traj
      analyze-session run.json -f json --session case-17
      analyze-session run.json --fail-on high --ignore near-identical-error
      analyze-session run.json -f github
    """
    product.check(log)

    report, loaded = judged(log, analysis, session_id)
    recordings = recordings_of(report, loaded) if product.writer.shows_texts else []
    only_the_gate = is_quiet() and fail_on is not None and not context.params["format"] and not product.target.output
    if not only_the_gate:
        product.write(PostMortemResult(report, recordings, Asked(analysis.select, analysis.ignore, fail_on)))
    _mention_warnings(report, listed=product.target.unfold)
    if fail_on is None:
        return ExitCode.DONE
    level = Severity(fail_on)
    findings = (finding for session in report.sessions for finding in session.findings)
    count = sum(finding.severity.rank >= level.rank and finding.explained_by is None for finding in findings)
    return gate(count, level)


def _mention_warnings(report: Report, *, listed: bool) -> None:
    warnings = [warning for session in report.sessions for warning in session.warnings]
    if not warnings:
        return
    for warning in warnings if listed else ():
        note(f"warning: {warning.where}: {warning.what}")
    # The page of one session ends with them; a table of several doesn't have them.
    them = one_or_many(len(warnings), "it", "them")
    where = "see the end of the report" if len(report.sessions) == 1 else f"--verbose lists {them}"
    note(f"{plural(len(warnings), 'warning')} while reading{'' if listed else f'; {where}'}")


def _ranges(_context: click.Context, _parameter: click.Parameter, values: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """`10-40`, `17`, `10-` and `-40`, comma separated, as first and last steps."""
    found = []
    for entry in (part.strip() for value in values for part in value.split(",")):
        begin, dash, end = entry.partition("-")
        if not (begin + end).isdecimal():
            raise click.BadParameter(f"{entry!r} is no step or range of steps, such as 17, 10-40, 10- or -40.")
        first = int(begin or 1)
        last = int(end) if end else _ENDLESS if dash else first
        if last < first:
            raise click.BadParameter(f"{entry!r} ends before it begins.")
        found.append((first, last))
    return tuple(found)


@click.command("timeline", cls=LogCommand, short_help="Print the table of actions of one recorded session.")
@log_argument
@product_options(
    TimelineResult, "terminal", "Default: by the suffix of -o; else terminal, which in a pipe is plain rows.", unfold=""
)
@analysis_options
@session_option
@names_option("--lane", "lanes", "Only these lanes (comma separated): main, or a sub-agent's.")
@words_option(
    "--kind", "kinds", map(str, ShownKind), f"Only this kind ({', '.join(ShownKind)}); may be repeated.", "KIND"
)
@words_option("--status", "statuses", map(str, Status), "Only actions with this status; may be repeated.")
@names_option("--group", "groups", "Only steps that show these failures (comma separated).")
@repeated_option("--steps", "steps", "RANGES", _ranges, "Only these steps: 17, 10-40, 10- or -40 (comma separated).")
@flag_option(
    "--full", f"Also show what was said, sent and received at each step, up to {_LONGEST} characters per text."
)
def timeline(
    log: str,
    product: Product,
    analysis: Settings,
    session_id: str | None,
    lanes: tuple[str, ...],
    kinds: tuple[str, ...],
    statuses: tuple[str, ...],
    groups: tuple[str, ...],
    steps: tuple[tuple[int, int], ...],
    full: bool,
) -> ExitCode:
    """Print the table of actions of the recorded session LOG (- is standard input).

    One row per action: its step, time, duration, kind, whether it failed, and which failure came back. Loops are
    marked in the margin with their rounds numbered; user messages and context compactions are shown between
    the rows. In a pipe there is one plain line per action.

    \b
    Examples:
      analyze-session timeline run.json
      analyze-session timeline run.json --color always | less -RS
      analyze-session timeline run.json --status error --kind test
      analyze-session timeline run.json --steps 15-26 --full
      analyze-session timeline run.json -o actions.csv
      analyze-session timeline run.json -f jsonl | jq -r .summary
    """
    product.check(log)

    from analyzer.report.action_table import Choice, table_of

    report, loaded = judged(log, analysis, session_id)
    _check_names(report, lanes, groups)
    choice = Choice(
        frozenset(lanes), frozenset(map(ShownKind, kinds)), frozenset(map(Status, statuses)), frozenset(groups), steps
    )
    recordings = recordings_of(report, loaded, _LONGEST if full else 1_000)
    tables = [
        table_of(session, recording, choice) for session, recording in zip(report.sessions, recordings, strict=True)
    ]
    if len(tables) > 1:
        # Of many sessions those without a row that's asked for would only be in the way.
        tables = [table for table in tables if table.entries]
    product.write(TimelineResult(tables, full))
    _mention(report, tables, session_id)
    return ExitCode.DONE


def _check_names(report: Report, lanes: tuple[str, ...], groups: tuple[str, ...]) -> None:
    """Refuse lanes and groups that no session has: an empty table would look like an answer."""
    from analyzer.text.english import did_you_mean

    sessions = report.sessions
    there = dict.fromkeys(lane for session in sessions for lane in session.session.lanes)
    shown = dict.fromkeys(row.failure_group for session in sessions for row in session.timeline if row.failure_group)
    for what, names, known in (("lane", lanes, there), ("failure group", groups, shown)):
        for name in names:
            if name not in known:
                hint = did_you_mean(name, list(known)[:_LISTED]) if known else "It has none."
                raise AnalyzerError(f"holds no {what} {name!r}.", where=report.source.path, hint=hint)


def _mention(report: Report, tables: list[Table], session_id: str | None) -> None:
    from analyzer.api import named

    ids = [entry.session.id for entry in report.sessions]
    if len(ids) > 1 and session_id is None:
        note(f"{len(ids)} sessions; --session shows one: {named(ids)}")
    if not any(table.entries for table in tables):
        actions = sum(len(entry.timeline) for entry in report.sessions)
        note("the recording has no actions" if not actions else f"none of {actions} actions is what was asked for")
    warnings = sum(len(entry.warnings) for entry in report.sessions)
    if warnings:
        note(f"{plural(warnings, 'warning')} while reading; the post-mortem lists them")
