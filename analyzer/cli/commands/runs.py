"""What many runs show: what a change to the agent did (`analyze-session compare A B`), and which guard would have
stopped which runs (`analyze-session backtest`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import analysis_options, file_option, flag_option, jobs_option, value_option
from analyzer.cli.console.output import note, warn, write
from analyzer.cli.console.product import Product, product_options, redacted
from analyzer.cli.console.progress import Progress
from analyzer.cli.console.results import BacktestResult, ComparisonResult
from analyzer.model.errors import UnreadableInput
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.audit.compare.pairing import Asked
    from analyzer.audit.settings import Settings

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
@flag_option("--fail-on-regression", "Exit with 1 if B is worse beyond chance.")
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
        both_sides((before, after), keep, analysis, engine, Progress) as sides,
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
    regressions = found.regressions if fail_on_regression else ()
    for line in regressions:
        warn(f"gate: {line}")
    return ExitCode.GATE if regressions else ExitCode.DONE


@click.command("backtest", cls=Command, short_help="Replay loop guards over past runs.")
@click.argument("paths", metavar="PATH...", nargs=-1, type=click.Path(readable=False))
@click.option(
    "--policy",
    "policies",
    metavar="NAME[:PARAM=VALUE,...]",
    multiple=True,
    help=(
        "Replay this policy; may be repeated. A value may be a range such as 2..6. Default: all, with their default "
        "values."
    ),
)
@flag_option("--sweep", "Replay each policy over the grid of its parameters.")
@flag_option("--list listing", "List the policies with their parameters, and exit.")
@file_option(
    "--labels",
    "labels",
    "Which runs were stuck and which good: CSV or JSON lines with run (id or path), label (stuck or good), and "
    "optionally first and last (steps).",
)
@product_options(BacktestResult)
@jobs_option
@value_option(
    "--timeout-per-file",
    click.FloatRange(min=0, min_open=True),
    "Give up on a file that takes longer.",
    metavar="SECONDS",
)
@analysis_options
@click.pass_context
def backtest(
    context: click.Context,
    paths: tuple[str, ...],
    policies: tuple[str, ...],
    sweep: bool,
    listing: bool,
    labels: str | None,
    product: Product,
    analysis: Settings,
    jobs: int | None,
    timeout_per_file: float | None,
) -> ExitCode:
    """Replay guard policies over past runs: which would have stopped which stuck runs, how early, and which good runs
    they would have disturbed.

    PATH is a transcript, a folder, a pattern, or the folder of an audit (then the files that it covers). Policies
    are plain rules (same-tool, identical-call, identical-error, ...), the published rules of other programs (openhands,
    gemini-cli, ...), and this program's own guard (guard:select=loops,least=medium,rounds=4). A policy sees a run's
    actions in order and nothing later; its first alarm ends the run. The page says what counts as stuck and as good.

    \b
    Examples:
      analyze-session backtest runs/
      analyze-session backtest runs/ --sweep -o guards.html
      analyze-session backtest audit/ --policy identical-call:times=2..6
      analyze-session backtest audit/ --policy guard:select=loops,rounds=4
      analyze-session backtest runs/ --labels verdicts.csv -f json -o guards.json
      analyze-session backtest --list
    """
    from analyzer.audit.backtest.choice import chosen as chosen_policies

    if listing:
        write(_list(), None)
        return ExitCode.DONE
    if not paths:
        raise click.UsageError("Missing argument 'PATH...'.", context)
    product.check()
    choices = chosen_policies(policies, sweep=sweep)

    from analyzer.audit.backtest.run import backtest as replay_all
    from analyzer.audit.workers.pool import Workers, workers_here

    file = Path(labels) if labels is not None else None
    with Workers(jobs or workers_here(), timeout_per_file) as engine, Progress() as shown:
        result = replay_all(paths, choices, engine, settings=analysis, labels=file, swept=sweep, watcher=shown)
    if not result.counts.runs:
        raise UnreadableInput(
            "holds no run with an action.",
            where=", ".join([*paths[:3], *(["..."] if len(paths) > 3 else [])]),
            hint=result.problems[0] if result.problems else None,
        )
    result = redacted(result, analysis.redact)
    product.write(BacktestResult(result))
    if problems := len(result.problems):
        note(f"{plural(problems, 'problem')} with files or sessions; see the end of the report")
    if unused := len(result.unused_labels):
        note(f"{plural(unused, 'label fits', 'labels fit')} no run; see the end of the report")
    return ExitCode.DONE


def _list() -> str:
    from analyzer.audit.backtest.guards import GUARD, GUARD_TITLE
    from analyzer.diagnosis.policies.registry import POLICIES

    lines = []
    for name, policy in POLICIES.items():
        lines.append(f"{name}\n    {policy.title}")
        lines += [
            f"    {key}: {parameter.about} ({parameter.usual}; a sweep tries {', '.join(map(str, parameter.grid))})"
            for key, parameter in policy.parameters.items()
        ]
    lines += [
        f"{GUARD}\n    {GUARD_TITLE}",
        "    least: the severity from which on it speaks (medium)",
        "    select, ignore: detectors, joined by + (all)",
        "    rounds: how many rounds make a loop (3); any option of a detector as in loops.rounds",
    ]
    return "\n".join(lines) + "\n"
