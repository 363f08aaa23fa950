"""`analyze-session audit merge DIR...`: one audit out of the parts that were made on several machines."""

from __future__ import annotations

from pathlib import Path

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import (
    config_option,
    export_option,
    fail_on_option,
    folder_option,
    jobs_option,
    pages_option,
    quiet_option,
)
from analyzer.cli.console.output import note
from analyzer.text.english import plural


@click.command("merge", cls=Command, short_help="Make one audit of several.")
@click.argument("parts", metavar="DIR...", nargs=-1, required=True, type=click.Path(file_okay=False))
@folder_option
@export_option
@fail_on_option
@jobs_option
@pages_option
@quiet_option
@config_option
def audit_merge(
    parts: tuple[str, ...],
    folder: str,
    export: tuple[str, ...],
    fail_on: str | None,
    jobs: int | None,
    pages: str,
    quiet: bool,
) -> ExitCode:
    """Make one audit of those in the folders DIR: the same report and tables as if all their files had been read at
    once.

    The parts must have been made by the same version of the program with the same settings. Of a file that several
    parts looked at, the latest look counts.

    \b
    Examples:
      analyze-session audit merge part-1/ part-2/ part-3/ -o audit/
      analyze-session audit merge machines/*/ -o audit/ --export parquet
    """
    from analyzer.audit.store.export import export as export_tables
    from analyzer.audit.store.merge import merge
    from analyzer.audit.store.store import Store
    from analyzer.audit.workers.pool import Workers, workers_here
    from analyzer.cli.console.audit_output import check_place, conclude, publish

    place = Path(folder)
    check_place(place)
    merged = merge([Path(part) for part in parts], place)
    if merged.missing and not quiet:
        note(f"parts that are not there: {', '.join(merged.missing)}")
    with Workers(jobs or workers_here()) as engine, Store(place, merged.version) as store:
        publish(store, place, engine, pages, quiet=quiet)
        for kind in export:
            export_tables(store.rows, place, kind)
        sessions, files = plural(store.count("sessions"), "session"), plural(merged.files, "file")
        summary = f"{sessions} in {files} of {plural(len(parts), 'part')}"
        return conclude(store, place, summary, fail_on, quiet=quiet, empty=True)


COMMAND = audit_merge
