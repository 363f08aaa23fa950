"""`analyze-session skill`: how an agent reads its own post-mortem, as a file for agents."""

from __future__ import annotations

from importlib.resources import files

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import output_option
from analyzer.cli.console.output import check_target, write

_NAME = "SKILL.md"


@click.command("skill", cls=Command, short_help="Print instructions for an agent to read its own post-mortem.")
@output_option
def skill(output: str | None) -> ExitCode:
    """Print a skill file: how an agent gets the post-mortem of its own or an earlier session, how to read it, and
    what to conclude from it.

    \b
    Examples:
      analyze-session skill -o .claude/skills/post-mortem/SKILL.md
      analyze-session skill >> AGENTS.md
    """
    check_target(output)
    write(files("analyzer.cli.snippets").joinpath(_NAME).read_text(encoding="utf-8"), output)
    return ExitCode.DONE


COMMAND = skill
