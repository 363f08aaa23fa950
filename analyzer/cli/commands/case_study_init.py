"""`analyze-session case-study init [FILE]`: a scenario to start from."""

from __future__ import annotations

import os

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import quiet_option
from analyzer.cli.console.output import STDOUT, check_target, note, write
from analyzer.model.errors import AnalyzerError


@click.command("init", cls=Command, short_help="Write a scenario to start from.")
@click.argument("file", metavar="[FILE]", default="scenario.yaml", type=click.Path(readable=False, allow_dash=True))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@quiet_option
def case_study_init(file: str, force: bool, quiet: bool) -> ExitCode:
    """Write a scenario with a comment on everything into FILE (scenario.yaml without one; - is standard output).

    \b
    Examples:
      analyze-session case-study init
      analyze-session case-study init benchmarks/plugins.yaml
    """
    from analyzer.case_study.starter import STARTER

    refuse_existing(file, force=force)
    check_target(file)
    if write(STARTER, file) and not quiet:
        note(f"wrote {file}; change it, then: analyze-session case-study {file} run1.json run2.json")
    return ExitCode.DONE


COMMAND = case_study_init


def refuse_existing(file: str | None, *, force: bool) -> None:
    """Raise `AnalyzerError` for a file that is there, unless the user said that it may be written over."""
    if file is not None and file != STDOUT and not force and os.path.lexists(file):
        raise AnalyzerError("is there already.", where=file, hint="Name another file, or write over it with --force.")
