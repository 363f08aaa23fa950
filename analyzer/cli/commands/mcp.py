"""`analyze-session mcp PATH...`: answer agents over the Model Context Protocol."""

from __future__ import annotations

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode


@click.command("mcp", cls=Command, short_help="Answer agents over the Model Context Protocol.")
@click.argument("paths", metavar="[PATH...]", nargs=-1, type=click.Path(exists=True))
def mcp(paths: tuple[str, ...]) -> ExitCode:
    """Run an MCP server on standard input and output, for an agent that asks about recorded sessions at PATH (by
    default the working directory) and below.

    Its tools are post_mortem (of a transcript), find (in an audit), explain (a finding) and guard_check (of a
    transcript that is being written). Nothing else is read, and secrets are replaced in every answer. It needs
    `pip install 'analyze-session[mcp]'`.

    \b
    Examples:
      analyze-session mcp audit/ runs/
      claude mcp add sessions -- analyze-session mcp ~/audit ~/.claude/projects
    """
    from analyzer.serving.mcp_server import serve

    serve(paths or (".",))
    return ExitCode.DONE


COMMAND = mcp
