"""`analyze-session guard`: a loop guard for an agent's own loop, as code."""

from __future__ import annotations

from difflib import unified_diff
from importlib.resources import files

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import output_option
from analyzer.cli.console.output import write

_NAME = "loop_guard.py"


@click.command("guard", cls=Command, short_help="Print a loop guard to put into an agent's own loop.")
@click.option(
    "--patch", is_flag=True, help=f"Print it as a patch that adds {_NAME}, for `git apply`, rather than as a file."
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
    source = files("analyzer.cli.snippets").joinpath(_NAME).read_text(encoding="utf-8")
    if patch:
        source = "".join(unified_diff([], source.splitlines(keepends=True), "/dev/null", f"b/{_NAME}"))
    write(source, output)
    return ExitCode.DONE


COMMAND = guard
