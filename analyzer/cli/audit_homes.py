"""`analyze-session audit homes`: the agents whose own folders are known."""

from __future__ import annotations

import click

from analyzer.cli.command import Command
from analyzer.cli.exit_codes import ExitCode
from analyzer.cli.output import write
from analyzer.cli.table import table


@click.command("homes", cls=Command)
def audit_homes() -> ExitCode:
    """List the agents that --from knows, where each keeps its sessions on this machine, and whether there are any now.

    \b
    Examples:
      analyze-session audit homes
      analyze-session audit --from claude-code -o audit/
    """
    from analyzer.audit.homes import homes

    rows = [(agent, "yes" if here else "-", variables or "-", folders) for agent, variables, folders, here in homes()]
    write(table(("AGENT", "HERE", "VARIABLES", "FOLDERS"), rows), None)
    return ExitCode.DONE


COMMAND = audit_homes
