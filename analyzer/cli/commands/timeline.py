"""`analyze-session timeline LOG`: the table of a session's actions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.log_command import LogCommand
from analyzer.cli.console.options import (
    check_detectors,
    color_option,
    config_option,
    ignore_option,
    input_format_option,
    mask_option,
    output_option,
    quiet_option,
    redact_option,
    select_option,
    session_option,
    set_option,
    split_names,
)
from analyzer.cli.console.output import check_target, note, write
from analyzer.cli.console.report_format import format_option, of_suffix
from analyzer.cli.console.safe_text import visible
from analyzer.cli.console.sessions import only
from analyzer.cli.console.target import Target
from analyzer.cli.writers.registry import writers_of
from analyzer.cli.writers.results import TimelineResult
from analyzer.model.errors import AnalyzerError
from analyzer.model.words import Kind, Status

if TYPE_CHECKING:
    from analyzer.api import Loaded
    from analyzer.model.postmortem import Report
    from analyzer.model.step_texts import Recording
    from analyzer.report.action_table.entries import Choice, Table

_RANGE = re.compile(r"(?P<first>\d+)?(?P<dash>-)?(?P<last>\d+)?")
_LONGEST = 4_000
"""Characters of one text that `--full` shows."""
_ENDLESS = 1 << 62
_LISTED = 20


def _ranges(_context: click.Context, _parameter: click.Parameter, values: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """`10-40`, `17`, `10-` and `-40`, comma separated, as first and last steps."""
    found = []
    for entry in (part.strip() for value in values for part in value.split(",")):
        read = _RANGE.fullmatch(entry)
        if read is None or not (read["first"] or read["last"]):
            raise click.BadParameter(f"{entry!r} is no step or range of steps, such as 17, 10-40, 10- or -40.")
        first = int(read["first"] or 1)
        last = int(read["last"]) if read["last"] else _ENDLESS if read["dash"] else first
        if last < first:
            raise click.BadParameter(f"{entry!r} ends before it begins.")
        found.append((first, last))
    return tuple(found)


@click.command("timeline", cls=LogCommand, short_help="Print the table of actions of one recorded session.")
@click.argument("log", metavar="LOG", type=click.Path(readable=False, allow_dash=True))
@format_option(TimelineResult, "chosen", "Default: by the suffix of -o; else terminal, which in a pipe is plain rows.")
@output_option
@input_format_option
@session_option
@click.option(
    "--lane",
    "lanes",
    metavar="NAMES",
    multiple=True,
    callback=split_names,
    help="Only these lanes (comma separated): main, or a sub-agent's.",
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice([kind.value for kind in Kind]),
    multiple=True,
    help="Only actions of this kind; may be repeated.",
)
@click.option(
    "--status",
    "statuses",
    type=click.Choice([status.value for status in Status]),
    multiple=True,
    help="Only actions with this status; may be repeated.",
)
@click.option(
    "--group",
    "groups",
    metavar="NAMES",
    multiple=True,
    callback=split_names,
    help="Only steps that show these failures (comma separated).",
)
@click.option(
    "--steps",
    metavar="RANGES",
    multiple=True,
    callback=_ranges,
    help="Only these steps: 17, 10-40, 10- or -40 (comma separated).",
)
@click.option(
    "--full",
    is_flag=True,
    help=f"Also what was said, sent and received at each step, of a text at most {_LONGEST} characters.",
)
@select_option
@ignore_option
@mask_option
@set_option
@redact_option
@quiet_option
@color_option
@config_option
def timeline(
    log: str,
    chosen: str | None,
    output: str | None,
    input_format: str | None,
    session_id: str | None,
    lanes: tuple[str, ...],
    kinds: tuple[str, ...],
    statuses: tuple[str, ...],
    groups: tuple[str, ...],
    steps: tuple[tuple[int, int], ...],
    full: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    mask: dict[str, str],
    settings: dict[str, dict[str, object]],
    redact: bool,
    quiet: bool,
    color: str,
) -> ExitCode:
    """Print the table of actions of the recorded session LOG (- is standard input).

    A row per action: its step, when, how long, what kind, whether it failed, and which failure came back. Loops are
    marked in the margin with their rounds numbered; what the user said and where the context was compacted is shown
    between the rows. In a pipe there is one plain line per action.

    \b
    Examples:
      analyze-session timeline run.json
      analyze-session timeline run.json --color always | less -RS
      analyze-session timeline run.json --status error --kind test
      analyze-session timeline run.json --steps 15-26 --full
      analyze-session timeline run.json -o actions.csv
      analyze-session timeline run.json -f jsonl | jq -r .summary
    """
    writer = writers_of(TimelineResult)[chosen or of_suffix(output, TimelineResult) or "terminal"]
    check_target(output, log)
    check_detectors((*select, *ignore, *settings))

    from analyzer.api import load, redacted, report_of
    from analyzer.report.action_table.entries import Choice

    loaded = load(log, input_format, masks=mask)
    report = only(report_of(loaded, select=select, ignore=ignore, settings=settings), session_id)
    _check_names(report, lanes, groups)
    choice = Choice(
        frozenset(lanes), frozenset(map(Kind, kinds)), frozenset(map(Status, statuses)), frozenset(groups), steps
    )
    recordings = _recordings(report, loaded, full)
    if redact:
        report, recordings = redacted(report, loaded, recordings)
    tables = _tables(report, recordings, choice)
    if write(writer.render(TimelineResult(tables, full), Target(output, color)), output) and not quiet:
        note(visible(f"wrote {output}"))
    if not quiet:
        _mention(report, tables, session_id)
    return ExitCode.DONE


COMMAND = timeline


def _check_names(report: Report, lanes: tuple[str, ...], groups: tuple[str, ...]) -> None:
    """Refuse lanes and groups that no session has: an empty table would look like an answer."""
    from analyzer.text.suggest import did_you_mean

    for what, names, known in (
        ("lane", lanes, dict.fromkeys(lane for session in report.sessions for lane in session.session.lanes)),
        (
            "failure group",
            groups,
            dict.fromkeys(
                row.failure_group for session in report.sessions for row in session.timeline if row.failure_group
            ),
        ),
    ):
        for name in names:
            if name not in known:
                hint = did_you_mean(name, list(known)[:_LISTED]) if known else "It has none."
                raise AnalyzerError(f"holds no {what} {name!r}.", where=report.source.path, hint=hint)


def _recordings(report: Report, loaded: Loaded, full: bool) -> list[Recording]:
    from analyzer.timeline.step_texts import recording_of

    limit = _LONGEST if full else 1_000
    shown = {entry.session.id for entry in report.sessions}
    return [recording_of(timeline, limit) for timeline in loaded.sessions if timeline.session.id in shown]


def _tables(report: Report, recordings: list[Recording], choice: Choice) -> list[Table]:
    from analyzer.report.action_table.entries import table_of

    tables = [
        table_of(session, recording, choice) for session, recording in zip(report.sessions, recordings, strict=True)
    ]
    # Of many sessions those without a row that's asked for would only be in the way.
    return [table for table in tables if table.entries] if len(tables) > 1 else tables


def _mention(report: Report, tables: list[Table], session_id: str | None) -> None:
    ids = [entry.session.id for entry in report.sessions]
    if len(ids) > 1 and session_id is None:
        listed = ", ".join(ids[:_LISTED]) + (f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else "")
        note(visible(f"{len(ids)} sessions; --session shows one: {listed}"))
    if not any(table.entries for table in tables):
        actions = sum(len(entry.timeline) for entry in report.sessions)
        note("the recording has no actions" if not actions else f"none of {actions} actions is what was asked for")
    warnings = sum(len(entry.warnings) for entry in report.sessions)
    if warnings:
        note(f"{warnings} warning{'s' if warnings > 1 else ''} while reading; the post-mortem lists them")
