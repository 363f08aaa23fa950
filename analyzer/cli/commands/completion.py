"""`analyze-session completion SHELL`: the script that completes commands and options."""

from __future__ import annotations

import click

from analyzer.cli.console.command import PROGRAM, Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.output import write


@click.command("completion", cls=Command, short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> ExitCode:
    """Print the script that makes SHELL complete commands, options and their values.

    \b
    Examples:
      eval "$(analyze-session completion bash)"
      analyze-session completion fish > analyze-session.fish
    """
    from click.shell_completion import get_completion_class

    from analyzer.cli.main import COMPLETION_VARIABLE, cli

    kind = get_completion_class(shell)
    assert kind is not None, "click knows these three shells"
    write(kind(cli, {}, PROGRAM, COMPLETION_VARIABLE).source() + "\n", None)
    return ExitCode.DONE


COMMAND = completion
