"""`analyze-session audit homes`: the agents whose own folders are known."""

from __future__ import annotations

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.output import write
from analyzer.cli.console.table import table


@click.command("homes", cls=Command)
def audit_homes() -> ExitCode:
    """List the agents that --from knows, where each keeps its sessions on this machine, and whether there are any now.

    \b
    Examples:
      analyze-session audit homes
      analyze-session audit --from claude-code -o audit/
    """
    from analyzer.audit.sources.log_folders import log_folders

    rows = [
        (agent, "yes" if here else "-", variables or "-", folders) for agent, variables, folders, here in log_folders()
    ]
    write(table(("AGENT", "HERE", "VARIABLES", "FOLDERS"), rows), None)
    return ExitCode.DONE


COMMAND = audit_homes
