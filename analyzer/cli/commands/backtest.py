"""`analyze-session backtest`: choose a guard from past runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import analysis_options, file_option, jobs_option, value_option
from analyzer.cli.console.output import note, write
from analyzer.cli.console.product import Product, product_options, redacted
from analyzer.cli.console.progress import progress
from analyzer.cli.console.results import BacktestResult
from analyzer.model.errors import UnreadableInput
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.audit.settings import Settings
    from analyzer.model.backtest import Backtest


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
@click.option("--sweep", is_flag=True, help="Replay each policy over the grid of its parameters.")
@click.option("--list", "listing", is_flag=True, help="List the policies with their parameters, and exit.")
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
    with Workers(jobs or workers_here(), timeout_per_file) as engine, progress() as shown:
        result = replay_all(paths, choices, engine, settings=analysis, labels=file, swept=sweep, watcher=shown)
    if not result.counts.runs:
        raise UnreadableInput(
            "holds no run with an action.",
            where=", ".join([*paths[:3], *(["..."] if len(paths) > 3 else [])]),
            hint=result.problems[0] if result.problems else None,
        )
    result = redacted(result, analysis.redact)
    product.write(BacktestResult(result))
    _mention(result)
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


def _mention(result: Backtest) -> None:
    problems, labels = len(result.problems), len(result.unused_labels)
    if problems:
        note(f"{plural(problems, 'problem')} with files or sessions; see the end of the report")
    if labels:
        note(f"{plural(labels, 'label fits', 'labels fit')} no run; see the end of the report")
