"""An agent at work: run it on a scenario several times, and tell how often and how it fails (`analyze-session bench`);
or follow a session while it's being recorded (`analyze-session watch LOG`)."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.cli.console.command import Command, ExitCode, LogCommand
from analyzer.cli.console.configuration import LEVELS
from analyzer.cli.console.options import (
    analysis_options,
    config_option,
    file_option,
    flag_option,
    input_format_option,
    quiet_option,
    redact_option,
    repeated_option,
    value_option,
)
from analyzer.cli.console.output import Target, note, warn, write
from analyzer.cli.console.product import format_option, redacted
from analyzer.cli.console.results import AlarmResult, BenchResult
from analyzer.cli.console.writers import writers_of
from analyzer.model.errors import AnalyzerError
from analyzer.model.words import Severity
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.audit.settings import Settings

DOCUMENT = "case_study.md"


def _split_environment(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` entries as a table."""
    table: dict[str, str] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name or "\0" in value:
            raise click.BadParameter(f"{value!r} isn't NAME=VALUE.")
        table[name] = text
    return table


def _rate(_context: click.Context, _parameter: click.Parameter, value: str | None) -> float | None:
    """A share as a number from 0 to 1, or as a percentage."""
    if value is None:
        return None
    try:
        rate = float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a number such as 0.8 nor a percentage such as 80%.") from None
    if not 0 <= rate <= 1:
        raise click.BadParameter(f"{value!r} isn't between 0 and 1; write 80 percent as 0.8 or 80%.")
    return rate


@click.command("bench", cls=Command, short_help="Run an agent on a scenario several times.")
@click.argument("scenario_file", metavar="SCENARIO", type=click.Path(readable=False))
@click.argument("command", metavar="-- CMD...", nargs=-1, type=click.UNPROCESSED)
@value_option("-n --runs", click.IntRange(1, 1_000), "The number of runs.", 5, "N")
@value_option("-o --output", click.Path(file_okay=False), "Keep the runs and the case study in DIR.", "bench", "DIR")
@flag_option("--resume", "Continue with the runs in DIR: finished runs are kept, missing ones are made.")
@file_option("--cwd", "cwd", "Run each time in a fresh copy of this folder.  [default: an empty folder]", metavar="DIR")
@repeated_option(
    "--env",
    "environment",
    "NAME=VALUE",
    _split_environment,
    "Set an environment variable for the command, in addition to those of this program; may be repeated.",
)
@value_option("--timeout", click.FloatRange(min=0, min_open=True), "Stop a run that takes longer.", metavar="SECONDS")
@click.option(
    "--transcript",
    metavar="PATTERN",
    help=(
        "Where the agent leaves its transcript, if not in {out}: a path or pattern from the run's working folder on, "
        "or an absolute one."
    ),
)
@input_format_option
@click.option(
    "--fail-under",
    metavar="RATE",
    callback=_rate,
    help="Exit with 1 if a smaller share of the runs passed, such as 0.8 or 80%.",
)
@format_option(BenchResult, "text", "The format of the output: the table, or everything as JSON.")
@redact_option
@quiet_option
@config_option
def bench(
    scenario_file: str,
    command: tuple[str, ...],
    runs: int,
    output: str,
    resume: bool,
    cwd: str | None,
    environment: dict[str, str],
    timeout: float | None,
    transcript: str | None,
    input_format: str | None,
    fail_under: float | None,
    chosen: str,
    redact: bool,
) -> ExitCode:
    """Run the command CMD on the scenario several times, and report how often it passes and whether it fails in the
    same way each time.

    CMD is your own agent: any program that leaves a transcript. It's started without a shell, each time in a fresh copy
    of --cwd. In its arguments and in values of --env, these placeholders are replaced: {prompt} by the scenario's
    prompt, {out} by the run's own folder, where the transcript is expected, {run} by the run's number. Everything else
    stays as it is. A run that leaves no transcript counts as a run that failed.

    DIR/run-N holds the working folder, the transcript, what the command printed, and how it ended; DIR/case_study.md is
    the case study. If bench is interrupted, finished runs are kept, and --resume makes the rest.

    \b
    Examples:
      analyze-session bench plan.yaml -- agent {prompt} --log {out}/run.json
      analyze-session bench plan.yaml --timeout 600 --cwd repo/ -- agent {prompt}
      analyze-session bench plan.yaml --env SEED={run} -- agent {prompt} {out}
      analyze-session bench plan.yaml --transcript 'log/*.jsonl' -- agent {prompt}
      analyze-session bench plan.yaml --resume --fail-under 80% -- agent {out}
    """
    from analyzer.case_study.bench import Command as AgentCommand
    from analyzer.case_study.bench import bench as run_all
    from analyzer.case_study.bench import load_bench
    from analyzer.case_study.scenario import load_scenario
    from analyzer.case_study.study import case_study
    from analyzer.report.case_study import render

    scenario = load_scenario(Path(scenario_file))
    place = Path(output)
    wanted = AgentCommand(
        command, Path(cwd) if cwd is not None else None, environment, timeout, transcript, input_format
    )
    try:
        with _terminated_like_interrupted():
            recorded = run_all(scenario, wanted, runs, place, resume=resume, tell=note)
    except KeyboardInterrupt:
        note(f"the runs that ended are in {output}; go on with --resume")
        raise
    loaded = load_bench(place.absolute(), recorded, input_format, redact=redact)
    # Fixes and recorded runs of the file belong to another story than these trials.
    study = case_study(
        scenario.model_copy(update={"fixes": [], "runs": []}), loaded, base=Path(scenario_file).parent, telling="trials"
    )
    study = redacted(study, redact)
    write(render(study), str(place / DOCUMENT))
    write(writers_of(BenchResult)[chosen].render(BenchResult(study, recorded), Target()), None)
    note(f"wrote {place / DOCUMENT}")
    if fail_under is None:
        return ExitCode.DONE
    if not study.runs:
        raise AnalyzerError("there is no run to judge.")
    # A run whose result is unknown doesn't count as passed.
    rate = sum(run.succeeded is True for run in study.runs) / len(study.runs)
    if rate >= fail_under:
        return ExitCode.DONE
    warn(f"gate: {rate:.0%} of the runs passed, fewer than {fail_under:.0%} (--fail-under)")
    return ExitCode.GATE


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """Within the block a request to end (SIGTERM) is an interrupt, so that no agent goes on without the one who started
    it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_number: int, _frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


_SHARE = 10
"""Reading the file again takes at most this part of the time: a long log is looked at less often."""


@click.command("watch", cls=LogCommand, short_help="Follow a session while it is being recorded.")
@click.argument("log", metavar="LOG", type=click.Path(readable=False))
@value_option("--interval", click.FloatRange(min=0.05), "How often to check for new content.", 1.0, "SECONDS")
@value_option(
    "--until-idle",
    click.FloatRange(min=0),
    "End when nothing has been written for this long; 0 reports what is detectable now and ends.",
    metavar="SECONDS",
)
@value_option("--least", LEVELS, "Only findings of this severity or above.", "low")
@format_option(AlarmResult, "text", "The format of the output; json is one object per line.")
@analysis_options
@value_option("--fail-on", LEVELS, "Exit with 1 as soon as there is a finding of this severity or above.")
@flag_option("-q --quiet", "One line per finding, no step-back message; no notes on standard error.")
@config_option
def watch(
    log: str,
    interval: float,
    until_idle: float | None,
    least: str,
    chosen: str,
    analysis: Settings,
    fail_on: str | None,
    quiet: bool,
) -> ExitCode:
    """Follow the growing transcript LOG, and report what goes wrong as it happens.

    Each finding is printed at the step at which it becomes detectable, with a message that would make the agent step
    back. What the file already holds is analyzed first. Press Ctrl-C to end, or use --until-idle or --fail-on.

    \b
    Examples:
      analyze-session watch run.jsonl
      analyze-session watch run.jsonl --least medium --until-idle 600
      analyze-session watch run.jsonl -f json | jq -r .message
      analyze-session watch run.jsonl --fail-on high --quiet
    """
    from analyzer.follow import Follower
    from analyzer.guard import Guard

    make = partial(
        Guard, select=analysis.select, ignore=analysis.ignore, settings=analysis.options, masks=analysis.masks
    )
    follower = Follower(log, make, analysis.input_format, redact=analysis.redact)
    writer = writers_of(AlarmResult)[chosen]
    level = Severity(least).rank
    gate = Severity(fail_on).rank if fail_on is not None else None
    quiet_since = time.monotonic()
    said_so = False
    while True:
        begun = time.monotonic()
        before = follower.actions
        ending = until_idle is not None and begun - quiet_since >= until_idle
        for session, alarm in follower.poll(last=ending):
            if alarm.finding.severity.rank >= level:
                click.echo(writer.render(AlarmResult(session, alarm, brief=quiet), Target()), nl=False)
            if gate is not None and alarm.finding.severity.rank >= gate:
                return ExitCode.GATE
        if follower.problem is not None and not said_so and not quiet:
            note(f"{log} can't be read yet: {follower.problem}")
            said_so = True
        now = time.monotonic()
        if follower.actions > before:
            quiet_since, said_so = now, False
        if ending:
            if not quiet:
                note(f"{plural(follower.actions, 'action')} seen")
            return ExitCode.DONE
        time.sleep(max(interval, (now - begun) * (_SHARE - 1)) if until_idle != 0 else 0)
