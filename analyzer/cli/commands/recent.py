"""`analyze-session recent`, which is what the program does without arguments on a terminal: the sessions that agents
recorded last, to pick one."""

from __future__ import annotations

import shutil
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import jobs_option, names_option, quiet_option, value_option
from analyzer.cli.console.output import Target, is_terminal, make_folder, table, write
from analyzer.cli.console.progress import Progress
from analyzer.model.errors import AnalyzerError
from analyzer.text.clip import clip
from analyzer.text.english import dollars, duration
from analyzer.text.expressions import cache_folder

_LARGEST = 64 << 20
"""Bytes of what is kept between two calls, beyond which it is made again."""
_HEADS = ("", "began", "agent", "project", "time", "cost", "what happened")
_HEADLINE = 120
"""Characters of what happened."""


@click.command("recent", cls=Command, short_help="List the latest sessions of all agents, to pick one.")
@value_option("-n --limit", click.IntRange(1, 500), "How many sessions.", 10, "N")
@names_option("--agent", "agents", "Only sessions of these agents (comma separated).")
@click.option("--project", metavar="NAME", help="Only sessions of this project; . is the current folder's.")
@jobs_option
@quiet_option
@click.pass_context
def recent(
    context: click.Context, limit: int, agents: tuple[str, ...], project: str | None, jobs: int | None
) -> ExitCode:
    """List the sessions that the agents on this machine recorded last: when, which agent, project, how long, what it
    cost, and what happened. On a terminal the page of any can be opened by its number.

    \b
    Examples:
      analyze-session
      analyze-session recent -n 30 --agent codex
      analyze-session recent --project .
    """
    from analyzer.audit.recent import recent_sessions
    from analyzer.audit.workers.pool import Workers, workers_here

    with tempfile.TemporaryDirectory() as nowhere, Workers(jobs or workers_here()) as engine, Progress() as shown:
        folder = _folder() or Path(nowhere)
        rows = recent_sessions(limit, folder, engine, shown, agents=agents, project=project)
        shown.ends()
    if not rows:
        hint = "`analyze-session audit folders` lists where agents keep them on this machine."
        raise AnalyzerError("there are no such sessions.", hint=hint)
    lines = [_line(number, row) for number, row in enumerate(rows, 1)]
    write(table(_HEADS, lines, width=Target().width), None)
    if not (rows and is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        return ExitCode.DONE
    numbers = click.Choice(["", *(line[0] for line in lines)])
    picked = click.prompt("Open", default="", show_default=False, type=numbers, show_choices=False)
    if not picked:
        return ExitCode.DONE
    row = rows[int(picked) - 1]
    shown_one = context.find_root().command.main([row["path"], "--session", row["id"]], standalone_mode=False)
    return ExitCode(shown_one or ExitCode.DONE)


def _line(number: int, row: dict[str, Any]) -> list[str]:
    """A session as a line of the table."""
    usd, seconds = row["spent_usd"], row["active_seconds"] or row["duration_seconds"]
    facts = (
        _when(row["started_at"]),
        row["agent"],
        row["project"],
        duration(seconds) if seconds is not None else None,
        dollars(usd) if usd is not None else None,
        clip(row["headline"] or row["task"] or "", _HEADLINE),
    )
    return [str(number), *(fact or "-" for fact in facts)]


def _when(text: str | None) -> str | None:
    """The minute of a moment, of one today without the day."""
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    local = moment.astimezone() if moment.tzinfo is not None else moment
    return f"{local:%H:%M}" if local.date() == datetime.now().astimezone().date() else f"{local:%Y-%m-%d %H:%M}"


def _folder() -> Path | None:
    """Where what was found is kept; None where nothing can be."""
    from analyzer.audit.sources.source import DATABASE

    cache = cache_folder()
    if cache is None:
        return None
    folder = cache / "recent"
    make_folder(folder)
    if (folder / DATABASE).is_file() and (folder / DATABASE).stat().st_size > _LARGEST:
        shutil.rmtree(folder)
    return folder
