"""What puts the program into an agent or a shell: a guard, a skill, a server and the completion of commands."""

from __future__ import annotations

from difflib import unified_diff
from importlib.resources import files

import click

from analyzer.cli.console.command import PROGRAM, Command, ExitCode
from analyzer.cli.console.options import output_option
from analyzer.cli.console.output import check_target, write

_GUARD, _SKILL = "loop_guard.py", "SKILL.md"


@click.command("guard", cls=Command, short_help="Print a loop guard to put into an agent's own loop.")
@click.option(
    "--patch", is_flag=True, help=f"Print it as a patch that adds {_GUARD}, for `git apply`, rather than as a file."
)
@output_option
def guard(patch: bool, output: str | None) -> ExitCode:
    """Print a loop guard: one Python file that needs nothing but the standard library.

    It has the two cheapest rules of the backtest: the same call with the same answer, and the same error, for the third
    time, whatever happens in between, with varying values masked. It returns a message for the agent's context.
    The full set of rules is `analyzer.Guard`.

    \b
    Examples:
      analyze-session guard -o loop_guard.py
      analyze-session guard --patch | git apply
    """
    source = files("analyzer.cli.snippets").joinpath(_GUARD).read_text(encoding="utf-8")
    if patch:
        source = "".join(unified_diff([], source.splitlines(keepends=True), "/dev/null", f"b/{_GUARD}"))
    write(source, output)
    return ExitCode.DONE


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
    write(files("analyzer.cli.snippets").joinpath(_SKILL).read_text(encoding="utf-8"), output)
    return ExitCode.DONE


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
