"""`analyze-session formats`: which transcripts can be read."""

from __future__ import annotations

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.output import write
from analyzer.cli.console.table import table


@click.command("formats", cls=Command)
def formats() -> ExitCode:
    """List the transcript formats, what was seen of each, and what it never records (a report then calls it unknown).

    \b
    Examples:
      analyze-session formats
      analyze-session run.log --input-format chat
    """
    from analyzer.formats.loading.registry import formats as known

    rows = [(entry.name, entry.title, entry.versions, ", ".join(entry.not_recorded) or "-") for entry in known()]
    write(table(("NAME", "PRODUCER", "SEEN", "NEVER RECORDED"), rows), None)
    return ExitCode.DONE


COMMAND = formats
