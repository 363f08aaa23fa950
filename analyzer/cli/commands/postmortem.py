"""`analyze-session LOG`: the post-mortem of one recorded file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import ExitCode
from analyzer.cli.console.log_command import LogCommand, judged, recordings_of
from analyzer.cli.console.options import analysis_options, fail_on_option, session_option
from analyzer.cli.console.output import gate, is_quiet, note
from analyzer.cli.console.product import Product, product_options
from analyzer.cli.console.results import Asked, PostMortemResult
from analyzer.model.words import Severity
from analyzer.text.english import one_or_many, plural

if TYPE_CHECKING:
    from analyzer.audit.settings import Settings
    from analyzer.model.postmortem import Report


@click.command("post-mortem", cls=LogCommand, short_help="Write the post-mortem of one recorded session.")
@click.argument("log", metavar="LOG", type=click.Path(readable=False, allow_dash=True))
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
    return _gate(report, fail_on)


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


def _gate(report: Report, fail_on: str | None) -> ExitCode:
    if fail_on is None:
        return ExitCode.DONE
    level = Severity(fail_on)
    findings = (finding for session in report.sessions for finding in session.findings)
    count = sum(finding.severity.rank >= level.rank and finding.explained_by is None for finding in findings)
    return gate(count, level)
