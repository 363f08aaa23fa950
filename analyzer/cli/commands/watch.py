"""`analyze-session watch LOG`: follow a session while it's being recorded."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import ExitCode, LogCommand
from analyzer.cli.console.configuration import LEVELS
from analyzer.cli.console.options import (
    analysis_options,
    config_option,
    flag_option,
    value_option,
)
from analyzer.cli.console.output import Target, note
from analyzer.cli.console.product import format_option
from analyzer.cli.console.results import AlarmResult
from analyzer.cli.console.writers import writers_of
from analyzer.model.words import Severity
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.audit.settings import Settings


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
