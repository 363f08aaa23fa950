"""`analyze-session audit folders`: where agents keep their sessions on this machine."""

from __future__ import annotations

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.output import write
from analyzer.cli.console.table import entry


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

    write(
        "".join(
            entry(
                f"{agent} - {'sessions found' if here else 'no sessions found'}",
                [*folders.split(", "), *([f"set by: {variables}"] if variables else [])],
            )
            for agent, variables, folders, here in log_folders()
        ),
        None,
    )
    return ExitCode.DONE


COMMAND = audit_folders
