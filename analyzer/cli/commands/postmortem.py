"""`analyze-session LOG`: the post-mortem of one recorded file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.log_command import LogCommand
from analyzer.cli.console.options import (
    check_detectors,
    color_option,
    config_option,
    fail_on_option,
    ignore_option,
    input_format_option,
    mask_option,
    output_option,
    quiet_option,
    redact_option,
    select_option,
    session_option,
    set_option,
)
from analyzer.cli.console.output import check_target, note, write
from analyzer.cli.console.report_format import format_option, report_format
from analyzer.cli.console.safe_text import visible
from analyzer.cli.console.sessions import only
from analyzer.cli.console.target import Target
from analyzer.cli.writers.results import Asked, PostMortemResult
from analyzer.model.words import Severity

if TYPE_CHECKING:
    from analyzer.api import Loaded
    from analyzer.model.postmortem import Report
    from analyzer.model.step_texts import Recording


@click.command("post-mortem", cls=LogCommand, short_help="Write the post-mortem of one recorded session.")
@click.argument("log", metavar="LOG", type=click.Path(readable=False, allow_dash=True))
@format_option(PostMortemResult)
@output_option
@input_format_option
@session_option
@select_option
@ignore_option
@mask_option
@set_option
@redact_option
@fail_on_option
@quiet_option
@click.option(
    "-v", "--verbose", count=True, help="Unfold the folded parts on the terminal; list what could not be read."
)
@color_option
@config_option
@click.pass_context
def post_mortem(
    context: click.Context,
    log: str,
    format: str | None,  # noqa: A002 - the option's name
    output: str | None,
    input_format: str | None,
    session_id: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    mask: dict[str, str],
    settings: dict[str, dict[str, object]],
    redact: bool,
    fail_on: str | None,
    quiet: bool,
    verbose: int,
    color: str,
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
    writer = report_format(context, format, output, PostMortemResult)
    check_target(output, log)
    check_detectors((*select, *ignore, *settings))

    from analyzer.api import load, redacted, report_of

    loaded = load(log, input_format, masks=mask)
    report = only(report_of(loaded, select=select, ignore=ignore, settings=settings), session_id)
    recordings = _recordings(report, loaded) if writer.shows_texts else []
    if redact:
        report, recordings = redacted(report, loaded, recordings)
    only_the_gate = quiet and fail_on is not None and format is None and output is None
    if not only_the_gate:
        result = PostMortemResult(report, recordings, Asked(select, ignore, fail_on))
        if write(writer.render(result, Target(output, color, unfold=verbose > 0)), output) and not quiet:
            note(visible(f"wrote {output}"))
    if not quiet:
        _mention_warnings(report, verbose)
    return _gate(report, fail_on)


COMMAND = post_mortem


def _recordings(report: Report, loaded: Loaded) -> list[Recording]:
    from analyzer.timeline.step_texts import recording_of

    shown = {entry.session.id for entry in report.sessions}
    return [recording_of(timeline) for timeline in loaded.sessions if timeline.session.id in shown]


def _mention_warnings(report: Report, verbose: int) -> None:
    warnings = [warning for session in report.sessions for warning in session.warnings]
    if not warnings:
        return
    if verbose:
        for warning in warnings:
            note(visible(f"warning: {warning.where}: {warning.what}"))
    count = f"{len(warnings)} warning{'s' if len(warnings) > 1 else ''}"
    note(f"{count} while reading; see the end of the report")


def _gate(report: Report, fail_on: str | None) -> ExitCode:
    if fail_on is None:
        return ExitCode.DONE
    level = Severity(fail_on)
    count = sum(finding.severity.rank >= level.rank for session in report.sessions for finding in session.findings)
    if not count:
        return ExitCode.DONE
    note(f"gate: {count} finding{'s' if count > 1 else ''} of severity {level} or above (--fail-on {level})")
    return ExitCode.GATE
