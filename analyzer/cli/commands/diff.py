"""`analyze-session diff LOG`: what became of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import ExitCode, LogCommand
from analyzer.cli.console.options import flag_option, input_format_option, log_argument, redact_option, session_option
from analyzer.cli.console.output import note
from analyzer.cli.console.product import Product, product_options
from analyzer.cli.console.results import DifferenceResult
from analyzer.model.errors import AnalyzerError
from analyzer.model.words import MAIN_LANE

if TYPE_CHECKING:
    from analyzer.model.difference import Difference
    from analyzer.timeline import Timeline


@click.command("diff", cls=LogCommand, short_help="Print what a recorded session changed in its files.")
@log_argument
@product_options(DifferenceResult, "text", "Default: by the suffix of -o; else text.", unfold="")
@input_format_option
@session_option
@click.option(
    "--step", type=click.IntRange(min=0), metavar="N", help="The files as they were after step N (0: before)."
)
@click.option("--lane", metavar="NAME", default=MAIN_LANE, show_default=True, help="The lane of that step.")
@flag_option("--stat", "One line for each file rather than its changes.")
@redact_option
def diff(
    log: str,
    product: Product,
    input_format: str | None,
    session_id: str | None,
    step: int | None,
    lane: str,
    stat: bool,
    redact: bool,
) -> ExitCode:
    """Print what the recorded session LOG (- is standard input) changed in its files, as far as the recording shows it.

    The diff is unified. It's reconstructed from the session's edits, commands and reads; nothing is looked up on
    this machine. Lines that begin with # say where the agent's own scratch files begin and what isn't known: files
    whose content was never shown, and commands whose effects are unknown.

    \b
    Examples:
      analyze-session diff run.json
      analyze-session diff run.json --stat
      analyze-session diff run.json --step 12
      analyze-session diff run.json -o final.diff
      analyze-session diff run.json -f json | jq -r '.sessions[].files[].file'
    """
    if stat and product.writer.name == "json":
        raise click.UsageError("--stat is for text; the JSON has the counts of each file.")
    product.check(log)

    from analyzer.api import load, named, with_id
    from analyzer.model.difference import DifferenceReport

    loaded = load(log, input_format, redact=redact)
    timelines = with_id(loaded.sessions, session_id, lambda timeline: timeline.session.id, log)
    made = [found for timeline in timelines if (found := _difference(timeline, step, lane)) is not None]
    if timelines and not made:
        where = "" if lane == MAIN_LANE else f" in the lane {lane!r}"
        raise AnalyzerError(f"has no step {step}{where}.", where=log)
    report = DifferenceReport(source=loaded.source, sessions=made)
    product.write(DifferenceResult(report, stat))
    if len(report.sessions) > 1 and session_id is None:
        note(f"{len(made)} sessions; --session shows one: {named([entry.session for entry in made])}")
    return ExitCode.DONE


def _difference(timeline: Timeline, step: int | None, lane: str) -> Difference | None:
    """The diff of one session, None for one that doesn't have the step."""
    from analyzer.workspace import history_of
    from analyzer.workspace.difference import difference, step_index

    history = timeline.history or history_of(timeline.session, timeline.actions)
    upto: int | None = None
    if step is not None:
        upto = -1 if step == 0 else step_index(history, step, lane)
        if upto is None:
            return None
    return difference(history, upto, timeline.session.task or "")
