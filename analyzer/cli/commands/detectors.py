"""`analyze-session detectors`: what is looked for."""

from __future__ import annotations

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.output import write
from analyzer.cli.console.table import WIDTH, table


@click.command("detectors", cls=Command, short_help="List the detectors.")
def detectors() -> ExitCode:
    """List the detectors with the first line of their manual pages.

    LIVE says which of them can follow a session while it happens (the command watch, and the guard for agents' own
    loops); the others need the end of it.

    \b
    Examples:
      analyze-session detectors
      analyze-session run.json --select loops
    """
    from analyzer.detectors.engine.interface import LiveDetector
    from analyzer.detectors.engine.manual import manual_page
    from analyzer.detectors.engine.registry import detectors as known

    rows = [
        (entry.name, "yes" if isinstance(entry, LiveDetector) else "-", manual_page(entry).splitlines()[0])
        for entry in known()
    ]
    write(table(("NAME", "LIVE", "WHAT IT FLAGS"), rows, width=WIDTH), None)
    return ExitCode.DONE


COMMAND = detectors
