"""`analyze-session check`: a doctor for transcripts."""

from __future__ import annotations

import click

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import input_format_option
from analyzer.cli.console.output import Target, note, write
from analyzer.cli.console.product import format_option
from analyzer.cli.console.results import CheckResult
from analyzer.cli.console.writers import writers_of
from analyzer.text.english import plural


@click.command("check", cls=Command, short_help="Report how well each transcript was read.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(readable=False, allow_dash=True))
@format_option(CheckResult, "text")
@input_format_option
@click.option("--strict", is_flag=True, help="Exit with 1 if anything was not understood.")
@click.option("-q", "--quiet", is_flag=True, help="Only files with something to report.")
def check(paths: tuple[str, ...], chosen: str, input_format: str | None, strict: bool, quiet: bool) -> ExitCode:
    """Report how well each transcript was read: its format, what was found, what was not understood.

    PATH is a file, or a directory, whose files are checked one by one. Records are counted where a file consists of
    records (JSON counts them by type as well). Lines or entries that aren't records at all count as damaged; a record
    of an unknown type, or one with something missing, counts as a record, and a warning says what was left out of it. A
    file that can't be read, and a large one that yields nothing, is an error: exit code 2.

    \b
    Examples:
      analyze-session check run.jsonl
      analyze-session check --strict runs/
      analyze-session check -f json runs/ | jq '.[] | select(.understood | not)'
    """
    from analyzer.checkup import check as examine
    from analyzer.checkup import files_of

    found = [examine(path, input_format) for given in paths for path in files_of(given)]
    shown = [checkup for checkup in found if not quiet or not checkup.understood]
    write(writers_of(CheckResult)[chosen].render(CheckResult(shown), Target()), None)
    problems = sum(checkup.problem is not None for checkup in found)
    partly = sum(not checkup.understood for checkup in found) - problems
    if not quiet:
        understood = len(found) - problems - partly
        note(f"{plural(len(found), 'file')}: {understood} understood, {partly} with remarks, {problems} not read")
    if problems:
        return ExitCode.USAGE
    return ExitCode.GATE if strict and partly else ExitCode.DONE
