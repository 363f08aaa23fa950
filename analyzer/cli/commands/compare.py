"""`analyze-session compare A B`: what a change to the agent did."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import (
    check_detectors,
    color_option,
    config_option,
    ignore_option,
    input_format_option,
    jobs_option,
    mask_option,
    output_option,
    quiet_option,
    redact_option,
    select_option,
    set_option,
)
from analyzer.cli.console.output import check_target, note, write
from analyzer.cli.console.progress import progress
from analyzer.cli.console.report_format import format_option, report_format
from analyzer.cli.console.safe_text import visible
from analyzer.cli.console.target import Target
from analyzer.cli.writers.results import ComparisonResult

if TYPE_CHECKING:
    from analyzer.audit.compare import Side
    from analyzer.audit.compare.pairing import Asked
    from analyzer.audit.settings import Settings
    from analyzer.model.comparison import Comparison

PAIR_BY = ("auto", "task", "id", "title", "path", "none")


@click.command("compare", cls=Command, short_help="Compare the sessions before and after a change to the agent.")
@click.argument("before", metavar="A", type=click.Path(readable=False))
@click.argument("after", metavar="B", type=click.Path(readable=False))
@format_option(ComparisonResult)
@output_option
@click.option(
    "--pair-by",
    type=click.Choice(PAIR_BY),
    default="auto",
    show_default=True,
    help="How sessions of A and B with the same task are recognised.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 0.999),
    default=0.95,
    show_default=True,
    help="Confidence of the intervals; 1 minus it is the level of the tests.",
)
@click.option("--fail-on-regression", is_flag=True, help="Exit with 1 if B is worse beyond chance.")
@click.option(
    "--keep",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Keep the audits of transcripts in DIR/before and DIR/after, so that only new transcripts are read next time.",
)
@jobs_option
@input_format_option
@select_option
@ignore_option
@set_option
@mask_option
@redact_option
@quiet_option
@click.option("-v", "--verbose", count=True, help="Unfold the folded parts on the terminal.")
@color_option
@config_option
@click.pass_context
def compare(
    context: click.Context,
    before: str,
    after: str,
    format: str | None,  # noqa: A002 - the option's name
    output: str | None,
    pair_by: Asked,
    confidence: float,
    fail_on_regression: bool,
    keep: str | None,
    jobs: int | None,
    input_format: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    settings: dict[str, dict[str, object]],
    mask: dict[str, str],
    redact: bool,
    quiet: bool,
    verbose: int,
    color: str,
) -> ExitCode:
    """Compare the sessions of A, before a change to the agent, with those of B, after it.

    A and B are folders of audits, or transcripts (files, folders, patterns) that are audited first; the options from
    --input-format to --mask are for those. Sessions of the same task are compared with each other: by their ids,
    titles, words of the task or paths, whichever finds most tasks on both sides. Each metric comes with the difference,
    an interval and a test; all but the success rate are corrected for their number (Holm). The page says where there
    are too few sessions to tell.

    --fail-on-regression exits with 1 if, beyond chance: a metric of success or trouble (success rate, loops, findings
    of severity high, failed steps, actions inside loops) got worse; or effort (actions, duration, tokens, cost) rose
    without the success rate rising; or a kind of finding of severity high, or a failure that one is about, is new or
    shown by more sessions. Not shown is not failed.

    \b
    Examples:
      analyze-session compare audits/monday audits/tuesday
      analyze-session compare runs/before runs/after -o comparison.md --keep audits/
      analyze-session compare runs/before runs/after -o comparison.html
      analyze-session compare main/ pull-request/ --fail-on-regression -q -f json
      analyze-session compare old.jsonl new.jsonl --pair-by none
    """
    writer = report_format(context, format, output, ComparisonResult)
    check_target(output)
    check_detectors((*select, *ignore, *settings))
    from analyzer.audit.settings import Settings

    asked = Settings(input_format, select, ignore, mask, settings, redact)
    with ExitStack() as stack:
        sides = [
            _side(place, folder, asked, jobs, quiet=quiet)
            for place, folder in zip((before, after), _folders(keep, stack), strict=True)
        ]
    empty = [name for name, side in zip("AB", sides, strict=True) if not side.runs]
    if empty:
        note(
            visible(
                f"Nothing to compare: {' and '.join(f'{name} ({side.name})' for name, side in zip('AB', sides, strict=True) if name in empty)} has no sessions."  # noqa: E501
            )
        )
        return ExitCode.NOTHING_TO_COMPARE
    from analyzer.audit.compare import compare as compared

    found = compared(sides[0], sides[1], pair_by=pair_by, confidence=confidence)
    if pair_by not in ("auto", "none") and not found.pairing.tasks:
        note(
            f"Nothing to compare: no session of A has the same {pair_by} as one of B. Without --pair-by, or with "
            "--pair-by none, all are compared."
        )
        return ExitCode.NOTHING_TO_COMPARE
    if redact:
        from analyzer.redaction import redact_model

        found = redact_model(found)
    if write(writer.render(ComparisonResult(found), Target(output, color, unfold=verbose > 0)), output) and not quiet:
        note(visible(f"wrote {output}"))
    return _gate(found, fail_on_regression)


COMMAND = compare


def _folders(keep: str | None, stack: ExitStack) -> tuple[Path, Path]:
    """Where the audits go that there are none of yet."""
    if keep is None:
        import tempfile

        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="analyze-session-")))
    else:
        root = Path(keep)
    return root / "before", root / "after"


def _side(place: str, folder: Path, asked: Settings, jobs: int | None, *, quiet: bool) -> Side:
    from analyzer.audit.compare.call import side_of
    from analyzer.audit.workers.pool import work, workers_here

    with progress(quiet=quiet) as shown:
        return side_of(place, folder, asked, partial(work, workers=jobs or workers_here(), timeout=300.0), shown)


def _gate(found: Comparison, fail_on_regression: bool) -> ExitCode:
    if not fail_on_regression or not found.regressions:
        return ExitCode.DONE
    for line in found.regressions:
        note(visible(f"gate: {line}"))
    return ExitCode.GATE
