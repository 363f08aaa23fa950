"""`analyze-session audit`: look at many recorded sessions at once, and only at what is new (`audit run`, which is meant
without a name); make one audit of several; where agents keep their sessions; and `analyze-session find TEXT DIR`: where
something was said, called or returned in the sessions of an audit."""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.audit_output import AuditOutput, audit_options
from analyzer.cli.console.command import WITHOUT_SETTING, Command, DefaultGroup, ExitCode
from analyzer.cli.console.options import (
    analysis_options,
    filter_options,
    flag_option,
    names_option,
    value_option,
    words_option,
)
from analyzer.cli.console.output import Target, entry, note, warn, write
from analyzer.cli.console.product import Product, product_options
from analyzer.cli.console.progress import Progress
from analyzer.cli.console.results import Asked, AuditResult, SearchResult
from analyzer.cli.console.writers import writers_of
from analyzer.model.errors import AnalyzerError
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.audit.run import Done, Engine
    from analyzer.audit.settings import Settings
    from analyzer.audit.sources.filters import Filter
    from analyzer.audit.store.store import Store


@click.group(
    "audit",
    cls=DefaultGroup,
    modules={"run": "audit:audit_run", "merge": "audit:audit_merge", "folders": "audit:audit_folders"},
    default="run",
    aliases={"homes": "folders"},
    short_help="Analyze many recorded sessions at once.",
    usage="[OPTIONS] PATH... -o DIR",
)
def audit() -> None:
    """Analyze all recorded sessions at PATH, and keep the results in DIR: a report, the post-mortems, and a database.

    PATH is a file, a folder to search, a pattern such as 'runs/**/*.jsonl', or an archive. A repeated
    audit reads only new and changed files, and an interrupted one resumes where it stopped. Files that can't be read
    are listed and never end the audit.

    \b
    Examples:
      analyze-session audit runs/ -o audit/
      analyze-session audit --from claude-code,codex --since 7d -o last-week/
      analyze-session audit runs/ -o audit/ --fail-on high -f github
      analyze-session audit runs/ -o part-3/ --shard 3/8
      analyze-session audit merge part-*/ -o audit/
    """


@click.command("run", cls=Command, short_help="Look at recorded sessions (the default).")
@click.argument("paths", metavar="PATH...", nargs=-1)
@audit_options
@names_option(
    "--from",
    "agents_of",
    "Read the default log folders of these agents, such as claude-code,codex, or of all (see audit folders).",
    metavar="AGENTS",
)
@filter_options(names_option("--source-format", "formats", "Only transcripts of these formats (comma separated)."))
@click.option(
    "-f",
    "--format",
    "--print",
    WITHOUT_SETTING,
    type=click.Choice(list(writers_of(AuditResult))),
    help="Also print the result in this format to standard output, for CI or a pipe.",
)
@value_option(
    "--timeout-per-file",
    click.FloatRange(min=0.1),
    "A file that takes longer is stopped and listed as a problem.",
    300.0,
    "SECONDS",
)
@flag_option("--recheck", "Read every file again, even where size and time have not changed.")
@click.option(
    "--shard",
    metavar="I/N",
    help="Only the I-th of N parts of the files, for work on several machines; see audit merge.",
)
@click.option(
    "--scheduler", metavar="ADDRESS", help="Work on the Dask cluster at this address, such as tcp://host:8786."
)
@analysis_options
def audit_run(
    paths: tuple[str, ...],
    output: AuditOutput,
    agents_of: tuple[str, ...],
    wanted: Filter,
    chosen: str | None,
    timeout_per_file: float,
    recheck: bool,
    shard: str | None,
    scheduler: str | None,
    analysis: Settings,
) -> ExitCode:
    """Look at all recorded sessions at PATH, and keep what is found in DIR: index.html, report.md, sessions/*, and the
    tables in audit.db.

    \b
    Examples:
      analyze-session audit run runs/ -o audit/
      analyze-session audit run --from codex --since 7d -o last-week/
    """
    from analyzer.audit.run import run
    from analyzer.audit.sources.log_folders import folders_of
    from analyzer.audit.store.merge import Shard
    from analyzer.audit.store.store import Store
    from analyzer.report.audit_spending import sentences_of

    given = [*paths, *folders_of(agents_of)]
    if not given:
        raise click.UsageError("Name what to look at: PATH..., or --from.")
    place = output.place
    fresh = not place.exists()
    output.check()
    part = Shard.parse(shard) if shard is not None else None
    with _engine(scheduler, output.jobs, timeout_per_file) as engine, Progress() as shown:
        try:
            done = run(given, place, analysis, engine, shown, chosen=wanted, shard=part, recheck=recheck)
            shown.ends()
            if fresh and not done.sources and not done.left_out:
                shutil.rmtree(place, ignore_errors=True)
                hint = "Name a folder of recordings; `analyze-session audit folders` lists where agents keep theirs."
                raise AnalyzerError("there is no file to read.", where=", ".join(given), hint=hint)
            with Store(place, analysis.version()) as store:
                wanted.check_agents(store.agents())
                report = output.publish(store, engine)
                if chosen is not None:
                    result = AuditResult(report, store, Asked(analysis.select, analysis.ignore, output.fail_on))
                    write(writers_of(AuditResult)[chosen].render(result, Target()), None)
                for sentence in sentences_of(report.spending):
                    note(sentence)
                return output.conclude(store, _summary(store, done), empty=not done.left_out)
        except KeyboardInterrupt:
            shown.ends()
            warn(f"Interrupted: {shown.summary()} What is done is kept; run the same command again to go on.")
            return ExitCode.INTERRUPTED


def _engine(scheduler: str | None, jobs: int | None, timeout: float) -> AbstractContextManager[Engine]:
    """What runs the work of the whole audit: the same processes for its files and its pages."""
    if scheduler is not None:
        from analyzer.audit.workers.cluster import dask_work

        return nullcontext(partial(dask_work, address=scheduler, timeout=timeout))
    from analyzer.audit.workers.pool import Workers, workers_here

    return Workers(jobs or workers_here(), timeout)


def _summary(store: Store, done: Done) -> str:
    parts = [f"{plural(store.count('sessions'), 'session')} in {plural(done.sources, 'file')}"]
    if done.examined < done.sources:
        parts.append(f"{done.examined} of them new or changed")
    if problems := store.count("files", "state = 'problem'"):
        parts.append(f"{problems} with a problem")
    return f"{done.left_out.sentence()}\n{', '.join(parts)}" if done.left_out else ", ".join(parts)


@click.command("merge", cls=Command, short_help="Make one audit of several.")
@click.argument("parts", metavar="DIR...", nargs=-1, required=True, type=click.Path(file_okay=False))
@audit_options
def audit_merge(parts: tuple[str, ...], output: AuditOutput) -> ExitCode:
    """Make one audit of those in the folders DIR: the same report and tables as if all their files had been read at
    once.

    The parts must have been made by the same version of the program with the same settings. Of a file that several
    parts looked at, the latest look counts.

    \b
    Examples:
      analyze-session audit merge part-1/ part-2/ part-3/ -o audit/
      analyze-session audit merge machines/*/ -o audit/ --export parquet
    """
    from analyzer.audit.store.merge import merge
    from analyzer.audit.store.store import Store
    from analyzer.audit.workers.pool import Workers, workers_here

    output.check()
    merged = merge([Path(part) for part in parts], output.place)
    if merged.missing:
        note(f"parts that are not there: {', '.join(merged.missing)}")
    with Workers(output.jobs or workers_here()) as engine, Store(output.place, merged.version) as store:
        output.publish(store, engine)
        sessions, files = plural(store.count("sessions"), "session"), plural(merged.files, "file")
        return output.conclude(store, f"{sessions} in {files} of {plural(len(parts), 'part')}", empty=True)


@click.command("folders", cls=Command, short_help="List where agents keep their sessions on this machine.")
def audit_folders() -> ExitCode:
    """List the agents that --from knows, the folders in which each keeps its sessions on this machine, and whether
    there are any now.

    \b
    Examples:
      analyze-session audit folders
      analyze-session audit --from claude-code -o audit/
    """
    from analyzer.audit.sources.log_folders import log_folders

    listed = ""
    for agent, variables, folders, here in log_folders():
        facts = [*folders.split(", "), *([f"set by: {variables}"] if variables else [])]
        listed += entry(f"{agent} - {'sessions found' if here else 'no sessions found'}", facts)
    write(listed, None)
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

    The search covers what the audit keeps for its pages: the task, and what was said, called and returned at each step,
    without secrets and clipped to 60,000 characters a session.

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
        note(f"nothing found in {plural(found.searched, 'session')}")
    return ExitCode.DONE
