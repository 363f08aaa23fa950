"""`analyze-session LOG`: the post-mortem of one recorded file."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.ci_formats import CI_FORMATS
from analyzer.cli.console.command import Command
from analyzer.cli.console.configuration import FORMATS
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import (
    check_detectors,
    color_option,
    config_option,
    fail_on_option,
    ignore_option,
    mask_option,
    output_option,
    redact_option,
    select_option,
    set_option,
    use_color,
)
from analyzer.cli.console.output import STDIN, check_target, note, write
from analyzer.cli.console.report_format import report_format, shown_markdown, shows_unicode, to_terminal
from analyzer.cli.console.safe_text import visible
from analyzer.cli.console.sessions import only
from analyzer.model.errors import UnreadableInput
from analyzer.model.words import Severity

if TYPE_CHECKING:
    from analyzer.api import Loaded
    from analyzer.model.postmortem import Report
    from analyzer.model.step_texts import Recording
    from analyzer.report.picture.model import PictureModel


@click.command("post-mortem", cls=Command)
@click.argument("log", metavar="LOG", type=click.Path(readable=False, allow_dash=True))
@click.option(
    "-f",
    "--format",
    type=click.Choice(FORMATS),
    help="What to write. Default: by the suffix of -o; else terminal on a terminal, markdown elsewhere.",
)
@output_option
@click.option(
    "--input-format", metavar="NAME", help="The transcript's format, if it is not recognised; see the command formats."
)
@click.option(
    "--session", "session_id", metavar="ID", help="Only the session with this id, of a file that holds several."
)
@select_option
@ignore_option
@mask_option
@set_option
@redact_option
@fail_on_option
@click.option("-q", "--quiet", is_flag=True, help="No notes on standard error, errors apart.")
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
    chosen = report_format(context, format, output, FORMATS)
    _check_log(context, log)
    check_target(output, log)
    check_detectors((*select, *ignore, *settings))

    from analyzer.api import load, redacted, report_of

    loaded = load(log, input_format, masks=mask)
    report = only(report_of(loaded, select=select, ignore=ignore, settings=settings), session_id)
    recordings = _recordings(report, loaded) if chosen == "html" else []
    if redact:
        report, recordings = redacted(report, loaded, recordings)
    if chosen in CI_FORMATS:
        from analyzer.cli.console.ci_formats import render
        from analyzer.report.results import Results

        text = render(Results.of_report(report), chosen, select=select, ignore=ignore, fail_on=fail_on)
    elif chosen == "html":
        text = _page(report, recordings)
    else:
        text = _render(report, chosen, output, color, verbose)
    if write(text, output) and not quiet:
        note(visible(f"wrote {output}"))
    if not quiet:
        _mention_warnings(report, verbose)
    return _gate(report, fail_on, quiet)


COMMAND = post_mortem


def _check_log(context: click.Context, log: str) -> None:
    """A mistyped command looks like a missing log; say so."""
    if log == STDIN or PurePath(log).name != log or os.path.lexists(log) or context.parent is None:
        return
    from analyzer.cli.console.group import MODULES
    from analyzer.cli.console.suggest import nearest

    near = nearest(log, MODULES)
    if near:
        raise UnreadableInput("no such file.", where=log, hint=f"Did you mean the command {near!r}?")


def _recordings(report: Report, loaded: Loaded) -> list[Recording]:
    from analyzer.timeline.step_texts import recording_of

    shown = {entry.session.id for entry in report.sessions}
    return [recording_of(timeline) for timeline in loaded.sessions if timeline.session.id in shown]


def _page(report: Report, recordings: list[Recording]) -> str:
    from analyzer.report.html.session import render

    return render(report, recordings)


def _render(report: Report, chosen: str, output: str | None, color: str, verbose: int) -> str:
    if chosen == "json":
        from analyzer.report import json

        return json.render(report)
    from analyzer.report import markdown

    if chosen == "terminal":
        return _on_terminal(report, output, color, verbose)
    return shown_markdown(markdown.render(report), chosen, output, color, unfold=verbose > 0)


def _on_terminal(report: Report, output: str | None, color: str, verbose: int) -> str:
    """The Markdown with pictures that know colours in place of its own."""
    from analyzer.cli.console.terminal import PICTURE, render
    from analyzer.report import markdown

    pictures: list[PictureModel] = []

    def draw(model: PictureModel) -> str:
        pictures.append(model)
        return f"```{PICTURE}\n{len(pictures) - 1}\n```"

    page = markdown.render(report, draw)
    return render(
        page,
        color=use_color(color, to_terminal(output)),
        unfold=verbose > 0,
        pictures=pictures,
        unicode=shows_unicode(output),
    )


def _mention_warnings(report: Report, verbose: int) -> None:
    warnings = [warning for session in report.sessions for warning in session.warnings]
    if not warnings:
        return
    if verbose:
        for warning in warnings:
            note(visible(f"warning: {warning.where}: {warning.what}"))
    count = f"{len(warnings)} warning{'s' if len(warnings) > 1 else ''}"
    note(f"{count} while reading; see the end of the report")


def _gate(report: Report, fail_on: str | None, quiet: bool) -> ExitCode:
    if fail_on is None:
        return ExitCode.DONE
    level = Severity(fail_on)
    count = sum(finding.severity.rank >= level.rank for session in report.sessions for finding in session.findings)
    if not count:
        return ExitCode.DONE
    if not quiet:
        note(f"gate: {count} finding{'s' if count > 1 else ''} of severity {level} or above (--fail-on {level})")
    return ExitCode.GATE
