"""`analyze-session compare A B`: what a change to the agent did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import analysis_options, jobs_option, value_option
from analyzer.cli.console.output import warn
from analyzer.cli.console.product import Product, product_options, redacted
from analyzer.cli.console.progress import progress
from analyzer.cli.console.results import ComparisonResult

if TYPE_CHECKING:
    from analyzer.audit.compare.pairing import Asked
    from analyzer.audit.settings import Settings
    from analyzer.model.comparison import Comparison

PAIR_BY = ("auto", "task", "id", "title", "path", "none")


@click.command("compare", cls=Command, short_help="Compare the sessions before and after a change to the agent.")
@click.argument("before", metavar="A", type=click.Path(readable=False))
@click.argument("after", metavar="B", type=click.Path(readable=False))
@product_options(ComparisonResult)
@value_option("--pair-by", PAIR_BY, "How sessions of A and B with the same task are recognised.", "auto")
@value_option(
    "--confidence",
    click.FloatRange(0.5, 0.999),
    "Confidence of the intervals; 1 minus it is the level of the tests.",
    0.95,
)
@click.option("--fail-on-regression", is_flag=True, help="Exit with 1 if B is worse beyond chance.")
@click.option(
    "--keep",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Keep the audits of transcripts in DIR/before and DIR/after, so that only new transcripts are read next time.",
)
@jobs_option
@analysis_options
def compare(
    before: str,
    after: str,
    product: Product,
    analysis: Settings,
    pair_by: Asked,
    confidence: float,
    fail_on_regression: bool,
    keep: str | None,
    jobs: int | None,
) -> ExitCode:
    """Compare the sessions of A, before a change to the agent, with those of B, after it.

    A and B are folders of audits, or transcripts (files, folders, patterns) that are audited first; the options from
    --input-format to --mask apply to those. Sessions of the same task are compared with each other: by their ids,
    titles, words of the task or paths, whichever finds most tasks on both sides. Each metric comes with its difference,
    an interval and a test; all but the success rate are corrected for multiple testing (Holm). The page says where
    there are too few sessions to tell.

    --fail-on-regression exits with 1 if, beyond chance: a metric of success or trouble (success rate, loops, findings
    of severity high, failed steps, actions inside loops) got worse; or effort (actions, duration, tokens, cost) rose
    without the success rate rising; or a kind of finding of severity high, or a failure that one is about, is new or
    shown by more sessions. Not shown is not failed.

    \b
    Examples:
      analyze-session compare audits/monday audits/tuesday
      analyze-session compare runs/before runs/after -o page.md --keep audits/
      analyze-session compare runs/before runs/after -o comparison.html
      analyze-session compare main/ pull-request/ --fail-on-regression -q -f json
      analyze-session compare old.jsonl new.jsonl --pair-by none
    """
    product.check()
    from analyzer.audit.compare.side import both_sides
    from analyzer.audit.workers.pool import Workers, workers_here

    with (
        Workers(jobs or workers_here(), 300.0) as engine,
        both_sides((before, after), keep, analysis, engine, progress) as sides,
    ):
        empty = [f"{name} ({side.name})" for name, side in zip("AB", sides, strict=True) if not side.runs]
        if empty:
            warn(f"Nothing to compare: {' and '.join(empty)} has no sessions.")
            return ExitCode.NOTHING_TO_COMPARE
        from analyzer.audit.compare import compare as compared

        found = compared(*sides, pair_by=pair_by, confidence=confidence)
    if pair_by not in ("auto", "none") and not found.pairing.tasks:
        warn(
            f"Nothing to compare: no session of A has the same {pair_by} as one of B. Without --pair-by, or with "
            "--pair-by none, all are compared."
        )
        return ExitCode.NOTHING_TO_COMPARE
    found = redacted(found, analysis.redact)
    product.write(ComparisonResult(found))
    return _gate(found, fail_on_regression)


def _gate(found: Comparison, fail_on_regression: bool) -> ExitCode:
    if not fail_on_regression or not found.regressions:
        return ExitCode.DONE
    for line in found.regressions:
        warn(f"gate: {line}")
    return ExitCode.GATE
