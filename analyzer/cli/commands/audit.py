"""`analyze-session audit`: look at many recorded sessions at once, and only at what is new (`audit run`, which is meant
without a name, in `audit_run`); make one audit of several; and where agents keep their sessions."""

from __future__ import annotations

from pathlib import Path

import click

from analyzer.cli.console.audit_output import AuditOutput, audit_options
from analyzer.cli.console.command import CONTEXT_SETTINGS, Command, DefaultGroup, ExitCode
from analyzer.cli.console.output import entry, note, write
from analyzer.text.english import plural

MODULES = {"run": "audit_run:audit_run", "merge": "audit:audit_merge", "folders": "audit:audit_folders"}


@click.group(
    "audit",
    cls=DefaultGroup,
    modules=MODULES,
    default="run",
    aliases={"homes": "folders"},
    short_help="Analyze many recorded sessions at once.",
    usage="[OPTIONS] PATH... -o DIR",
    context_settings=CONTEXT_SETTINGS,
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
