"""`analyze-session audit`: look at many recorded sessions at once, and only at what is new (`audit run`, which is meant
without a name); make one audit of several; the page of one of its sessions; where agents keep their sessions."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
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
)
from analyzer.cli.console.output import Target, entry, note, warn, write
from analyzer.cli.console.progress import Progress
from analyzer.cli.console.results import Asked, AuditResult
from analyzer.cli.console.writers import writers_of
from analyzer.model.errors import AnalyzerError
from analyzer.text.english import plural
from analyzer.text.names import names

if TYPE_CHECKING:
    from analyzer.audit.run import Done, Engine
    from analyzer.audit.settings import Settings
    from analyzer.audit.sources.filters import Filter
    from analyzer.audit.store.store import Store


@click.group(
    "audit",
    cls=DefaultGroup,
    modules={name: f"audit:audit_{name}" for name in names("run page merge folders")},
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
      analyze-session audit --from all -o audit/ --serve
    """


_PAUSE = 20.0
"""Seconds between two looks for new sessions."""


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
@flag_option("--serve", "Then show the audit in the browser, on this machine only, and go on looking for new sessions.")
@value_option("--port", click.IntRange(0, 65_535), "Where --serve answers; 0 is any that is free.", 0)
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
    serve: bool,
    port: int,
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
                code = output.conclude(store, _summary(store, done), empty=not done.left_out)
            if serve:
                _serve(place, port, partial(run, given, place, analysis, engine, chosen=wanted, shard=part))
            return code
        except KeyboardInterrupt:
            shown.ends()
            warn(f"Interrupted: {shown.summary()} What is done is kept; run the same command again to go on.")
            return ExitCode.INTERRUPTED


def _serve(place: Path, port: int, look: Callable[[], object]) -> None:
    """Serve an audit, and look for what is new now and then, until somebody interrupts that."""
    from analyzer.serving.audit_server import AuditServer

    server = AuditServer(place, port)
    note(f"Open {server.address} in a browser of this machine; Ctrl-C ends it.")
    try:
        while True:
            time.sleep(_PAUSE)
            try:
                look()
            except AnalyzerError as error:
                warn(f"Error: {error}")
    except KeyboardInterrupt:
        server.shutdown()


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


@click.command("page", cls=Command, short_help="Write the page of one of its sessions.")
@click.argument("session")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
def audit_page(session: str, folder: str) -> ExitCode:
    """Write the page in HTML of a session of the audit in DIR, one that has none of its own yet too, from what the
    audit keeps: the recording isn't read again. SESSION is the session's id, or how it begins. The page is written
    beside the others, and where it is, is printed.

    \b
    Examples:
      analyze-session audit page 0c1f2a audit/
    """
    from analyzer.audit.pages import Kind, write_page
    from analyzer.audit.store.store import Store
    from analyzer.cli.console.audit_output import as_html

    with Store.open(Path(folder)) as store:
        write(f"{write_page(store, Path(folder), store.key_of(session), Kind('.html', as_html))}\n", None)
    return ExitCode.DONE


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
