"""What is asked of many sessions: which were the last (`analyze-session recent`, which is what the program does without
a word on a terminal), what they cost (`analyze-session cost`), and where something was said, called or returned
(`analyze-session find TEXT DIR`)."""

from __future__ import annotations

import shutil
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import (
    filter_options,
    jobs_option,
    names_option,
    prices_option,
    quiet_option,
    value_option,
    words_option,
)
from analyzer.cli.console.output import Target, is_terminal, make_folder, note, table, write
from analyzer.cli.console.product import Product, product_options
from analyzer.cli.console.progress import Progress
from analyzer.cli.console.results import CostsResult, SearchResult
from analyzer.model.costs import By
from analyzer.model.errors import AnalyzerError
from analyzer.text.clip import clip
from analyzer.text.english import dollars, duration, plural
from analyzer.text.expressions import cache_folder

if TYPE_CHECKING:
    from analyzer.audit.sources.filters import Filter

_BY: tuple[By, ...] = get_args(By)
_PATIENCE = 300.0
"""Seconds after which a file is given up."""


@click.command("cost", cls=Command, short_help="Print what sessions cost by day, project, model.")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(_BY),
    default=("day",),
    show_default="day",
    help="What the rows are about; may be repeated.",
)
@names_option("--from", "agents_of", "The default log folders of these agents; all without PATH.", metavar="AGENTS")
@filter_options()
@prices_option
@jobs_option
@product_options(CostsResult, "text", "Default: by the suffix of -o; else text.", unfold="")
def cost(
    paths: tuple[str, ...],
    by: tuple[By, ...],
    agents_of: tuple[str, ...],
    wanted: Filter,
    prices: str | None,
    jobs: int | None,
    product: Product,
) -> ExitCode:
    """Print what the sessions at PATH cost, by default those of all agents on this machine: tokens, and USD as far as
    the log records it or the list of prices has the model.

    Nothing is judged, and a file that was read before and hasn't changed isn't read again. Times are those of the
    answers, so that --since and --until cut a session that goes on over midnight.

    \b
    Examples:
      analyze-session cost
      analyze-session cost --by week --by model --since 30d
      analyze-session cost --by project --from claude-code
      analyze-session cost runs/ --by session -o costs.csv
    """
    product.check()

    from analyzer.audit.costs import costs
    from analyzer.audit.sources.log_folders import ALL, folders_of
    from analyzer.audit.workers.pool import Workers, workers_here

    given = [*paths, *folders_of(agents_of or (() if paths else (ALL,)))]
    if (folder := cache_folder()) is not None:
        make_folder(folder)
    cache = folder / "costs.db" if folder is not None else None
    with Workers(jobs or workers_here(), _PATIENCE) as engine, Progress() as shown:
        found = costs(given, by, engine, cache=cache, wanted=wanted, prices=prices, watcher=shown)
        shown.ends()
    product.write(CostsResult(found))
    return ExitCode.DONE


_PARTS = ("task", "user", "said", "called", "returned")
"""The values of `analyzer.model.search.Part`, which a help page needs without the models."""


@click.command("find", cls=Command, short_help="Search the sessions of an audit for a text.")
@click.argument("text", metavar="TEXT")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@words_option("--status", "statuses", ("ok", "error", "unknown"), "Only steps of this status; may be repeated.")
@names_option("--tool", "tools", "Only steps of these tools.")
@names_option("--finding", "findings", "Only steps named by a finding of this kind: a detector, or detector/kind.")
@words_option(
    "--in",
    "parts",
    _PARTS,
    "Search only this: the task, what the user said later, what the agent said, what was sent to a tool, what came "
    "back; may be repeated.",
)
@filter_options()
@value_option("--limit", click.IntRange(min=1), "The maximum number of hits.", 50, "N")
@product_options(SearchResult, "text", "Default: by the suffix of -o; else text.", unfold="")
def find(
    text: str,
    folder: str,
    product: Product,
    statuses: tuple[str, ...],
    tools: tuple[str, ...],
    findings: tuple[str, ...],
    parts: tuple[str, ...],
    wanted: Filter,
    limit: int,
) -> ExitCode:
    """Print the steps of the audit in DIR that contain every word of TEXT, in any case, with the surrounding
    text and the place on the session's page. Words in double quotes are looked for as they are.

    The search covers the task and all that was said, called and returned, without secrets; of a text of more than a
    million characters its beginning and its end.

    \b
    Examples:
      analyze-session find "connection refused" audit/
      analyze-session find '"no module named" yaml' audit/ --status error
      analyze-session find migrate audit/ --tool Bash --in called --since 7d
      analyze-session find retry audit/ --finding loops -f json
    """
    product.check()

    from analyzer.audit.search import Asked as Wanted
    from analyzer.audit.search import search
    from analyzer.model.search import Part

    of_steps = (frozenset(statuses), frozenset(tool.lower() for tool in tools), frozenset(findings))
    found = search(Path(folder), text, Wanted(wanted, *of_steps, frozenset(map(Part, parts))), limit)
    product.write(SearchResult(found, folder))
    if not found.found:
        more = f"; {plural(found.unread, 'file')} could not be read and searched" if found.unread else ""
        note(f"nothing found in {plural(found.searched, 'session')}{more}")
    return ExitCode.DONE


_LARGEST = 64 << 20
"""Bytes of what is kept between two calls, beyond which it is made again."""
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

    with (
        tempfile.TemporaryDirectory() as nowhere,
        Workers(jobs or workers_here(), _PATIENCE) as engine,
        Progress() as shown,
    ):
        folder = _folder() or Path(nowhere)
        rows = recent_sessions(limit, folder, engine, shown, agents=agents, project=project)
        shown.ends()
    if not rows:
        hint = "`analyze-session audit folders` lists where agents keep them on this machine."
        raise AnalyzerError("there are no such sessions.", hint=hint)
    lines = [_line(number, row) for number, row in enumerate(rows, 1)]
    write(table(list(lines[0]), [list(line.values()) for line in lines], width=Target().width), None)
    if not (rows and is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        return ExitCode.DONE
    numbers = click.Choice(["", *(line[""] for line in lines)])
    picked = click.prompt("Open", default="", show_default=False, type=numbers, show_choices=False)
    if not picked:
        return ExitCode.DONE
    row = rows[int(picked) - 1]
    shown_one = context.find_root().command.main([row["path"], "--session", row["id"]], standalone_mode=False)
    return ExitCode(shown_one or ExitCode.DONE)


def _line(number: int, row: dict[str, Any]) -> dict[str, str]:
    """A session as a line of the table, by the heads."""
    usd, seconds = row["spent_usd"], row["active_seconds"] or row["duration_seconds"]
    facts = {
        "began": _when(row["started_at"]),
        "agent": row["agent"],
        "project": row["project"],
        "time": duration(seconds) if seconds is not None else None,
        "cost": dollars(usd) if usd is not None else None,
        "what happened": clip(row["headline"] or row["task"] or "", _HEADLINE),
    }
    return {"": str(number), **{head: fact or "-" for head, fact in facts.items()}}


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

    if (cache := cache_folder()) is None:
        return None
    folder = cache / "recent"
    make_folder(folder)
    if (folder / DATABASE).is_file() and (folder / DATABASE).stat().st_size > _LARGEST:
        shutil.rmtree(folder)
    return folder
