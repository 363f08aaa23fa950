"""`analyze-session formats`: which transcripts can be read."""

from __future__ import annotations

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.output import write
from analyzer.cli.console.table import entry


@click.command("formats", cls=Command, short_help="List the transcript formats that are read.")
def formats() -> ExitCode:
    """List the transcript formats, which versions of each have been seen, and what it never records (a report shows
    that as unknown).

    \b
    Examples:
      analyze-session formats
      analyze-session run.log --input-format chat
    """
    from analyzer.formats.loading.registry import formats as known

    write(
        "".join(
            entry(
                f"{form.name} - {form.title}",
                [
                    f"seen: {getattr(form, 'versions', 'not said')}",
                    f"never recorded: {', '.join(getattr(form, 'not_recorded', ())) or 'nothing'}",
                ],
            )
            for form in known()
        ),
        None,
    )
    return ExitCode.DONE


COMMAND = formats
