"""`analyze-session backtest`: choose a guard from past runs."""

from __future__ import annotations

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
    input_format_option,
    jobs_option,
    mask_option,
    output_option,
    quiet_option,
    redact_option,
    set_option,
    split_names,
)
from analyzer.cli.console.output import check_target, note, write
from analyzer.cli.console.progress import progress
from analyzer.cli.console.report_format import format_option, report_format
from analyzer.cli.console.safe_text import visible
from analyzer.cli.console.target import Target
from analyzer.cli.writers.results import BacktestResult
from analyzer.model.errors import UnreadableInput

if TYPE_CHECKING:
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
@click.option(
    "--labels",
    metavar="FILE",
    type=click.Path(readable=False),
    help=(
        "Which runs were stuck and which good: CSV or JSON lines with run (id or path), label (stuck or good), and "
        "optionally first and last (steps)."
    ),
)
@format_option(BacktestResult)
@output_option
@jobs_option
@click.option(
    "--timeout-per-file",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    help="Give up on a file that takes longer.",
)
@input_format_option
@click.option(
    "--select",
    metavar="NAMES",
    multiple=True,
    callback=split_names,
    help="Only these detectors judge which runs are stuck (comma separated).",
)
@click.option(
    "--ignore",
    metavar="NAMES",
    multiple=True,
    callback=split_names,
    help="All but these detectors do (comma separated).",
)
@mask_option
@set_option
@redact_option
@quiet_option
@click.option("-v", "--verbose", is_flag=True, help="Unfold the folded parts on the terminal.")
@color_option
@config_option
@click.pass_context
def backtest(
    context: click.Context,
    paths: tuple[str, ...],
    policies: tuple[str, ...],
    sweep: bool,
    listing: bool,
    labels: str | None,
    format: str | None,  # noqa: A002 - the option's name
    output: str | None,
    jobs: int | None,
    timeout_per_file: float | None,
    input_format: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    mask: dict[str, str],
    settings: dict[str, dict[str, object]],
    redact: bool,
    quiet: bool,
    verbose: bool,
    color: str,
) -> ExitCode:
    """Replay guard policies over past runs: which would have stopped which stuck runs, how early, and which good runs
    they would have disturbed.

    PATH is a transcript, a directory, a pattern, or the directory of an audit (then the files that it covers). Policies
    are plain rules (same-tool, identical-call, identical-error, ...), the published rules of other programs (openhands,
    gemini-cli, ...), and this program's own guard (guard:select=loops,least=medium,rounds=4). A policy sees a run's
    actions in order and nothing later; its first alarm ends the run. The page says what counts as stuck and as good.

    \b
    Examples:
      analyze-session backtest runs/
      analyze-session backtest runs/ --sweep -o guards.html
      analyze-session backtest audit/ --policy identical-call:times=2..6 --policy guard:select=loops
      analyze-session backtest runs/ --labels verdicts.csv -f json -o guards.json
      analyze-session backtest --list
    """
    from analyzer.audit.backtest.choice import chosen as chosen_policies

    if listing:
        write(_list(), None)
        return ExitCode.DONE
    if not paths:
        raise click.UsageError("Missing argument 'PATH...'.", context)
    writer = report_format(context, format, output, BacktestResult)
    check_target(output)
    check_detectors((*select, *ignore, *settings))
    choices = chosen_policies(policies, sweep=sweep)

    from analyzer.audit.backtest.run import backtest as replay_all
    from analyzer.audit.settings import Settings
    from analyzer.audit.workers.pool import work, workers_here

    engine = partial(work, workers=jobs or workers_here(), timeout=timeout_per_file)
    with progress(quiet=quiet) as shown:
        result = replay_all(
            paths,
            choices,
            engine,
            settings=Settings(input_format, select, ignore, mask, settings),
            labels=Path(labels) if labels is not None else None,
            swept=sweep,
            watcher=shown,
        )
    if not result.counts.runs:
        raise UnreadableInput(
            "holds no run with an action.",
            where=", ".join([*paths[:3], *(["..."] if len(paths) > 3 else [])]),
            hint=result.problems[0] if result.problems else None,
        )
    if redact:
        from analyzer.redaction import redact_model

        result = redact_model(result)
    if write(writer.render(BacktestResult(result), Target(output, color, unfold=verbose)), output) and not quiet:
        note(visible(f"wrote {output}"))
    if not quiet:
        _mention(result)
    return ExitCode.DONE


COMMAND = backtest


def _list() -> str:
    from analyzer.audit.backtest.guards import GUARD, GUARD_TITLE
    from analyzer.diagnosis.policies.registry import POLICIES

    lines = []
    for name, policy in POLICIES.items():
        lines.append(f"{name}\n    {policy.title()}")
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
        note(f"{problems} problem{'s' if problems > 1 else ''} with files or sessions; see the end of the report")
    if labels:
        note(f"{labels} label{'s fit' if labels > 1 else ' fits'} no run; see the end of the report")
