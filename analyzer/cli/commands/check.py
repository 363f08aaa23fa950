"""`analyze-session check`: a doctor for transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.output import note, write
from analyzer.cli.console.safe_text import visible
from analyzer.cli.console.table import table

if TYPE_CHECKING:
    from analyzer.checkup import Checkup

_HEADS = (
    *("FORMAT", "BYTES", "RECORDS", "DAMAGED", "SESSIONS", "ACTIONS", "NO RESULT", "NO CALL"),
    *("TIMES", "TOKENS", "COST", "STATUS", "WARNINGS", "FILE"),
)


@click.command("check", cls=Command)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(readable=False, allow_dash=True))
@click.option(
    "-f",
    "--format",
    "chosen",
    type=click.Choice(("text", "json")),
    default="text",
    help="What to write.  [default: text]",
)
@click.option(
    "--input-format", metavar="NAME", help="The transcripts' format, if it is not recognised; see the command formats."
)
@click.option("--strict", is_flag=True, help="Exit with 1 if anything was not understood.")
@click.option("-q", "--quiet", is_flag=True, help="Only files with something to report.")
def check(paths: tuple[str, ...], chosen: str, input_format: str | None, strict: bool, quiet: bool) -> ExitCode:
    """Say of each transcript how well it was read: its format, what was found, what was not understood.

    PATH is a file, or a directory whose files are looked at one by one. RECORDS counts the records of a file that
    consists of such (JSON counts them by type as well). DAMAGED counts its lines or entries that are no record at all;
    a record of an unknown type, or without what it should hold, is among RECORDS, and what was left out of it is in
    WARNINGS, as every damaged line is. NO RESULT counts calls without a recorded result, NO CALL results that belong to
    no call; TIMES, TOKENS, COST and STATUS count the sessions that record them. A file that can't be read, and a large
    one that yields nothing, is an error: exit code 2.

    \b
    Examples:
      analyze-session check run.jsonl
      analyze-session check --strict runs/
      analyze-session check -f json runs/ | jq '.[] | select(.understood | not)'
    """
    from analyzer.checkup import check as examine
    from analyzer.checkup import files_of

    found = [examine(path, input_format) for given in paths for path in files_of(given)]
    shown = [entry for entry in found if not quiet or not entry.understood]
    if chosen == "json":
        import json

        write(json.dumps([entry.as_dict() for entry in shown], indent=2, ensure_ascii=True) + "\n", None)
    elif shown:
        write(table(_HEADS, [_row(entry) for entry in shown]) + _remarks(shown), None)
    problems = sum(entry.problem is not None for entry in found)
    partly = sum(not entry.understood for entry in found) - problems
    if not quiet:
        note(
            f"{len(found)} files: {len(found) - problems - partly} understood, {partly} with remarks, {problems} "
            "not read"
        )
    if problems:
        return ExitCode.USAGE
    return ExitCode.GATE if strict and partly else ExitCode.DONE


COMMAND = check


def _row(entry: Checkup) -> tuple[str, ...]:
    name, size, many = entry.format or "-", str(entry.size_bytes), entry.sessions
    if not many:
        return (name, size, *[""] * (len(_HEADS) - 3), entry.path)

    def share(count: int) -> str:
        return "yes" if count == many else "no" if count == 0 else f"{count}/{many}"

    records = (sum(entry.records.values()), entry.records_damaged)
    unpaired = (entry.calls_without_result, entry.results_without_call)
    recorded = (entry.with_times, entry.with_tokens, entry.with_cost, entry.with_status)
    return (
        *(name, size, *map(_some, records), str(many), str(entry.actions), *map(_some, unpaired)),
        *(*map(share, recorded), _some(len(entry.warnings)), entry.path),
    )


def _some(count: int) -> str:
    return str(count or "-")


def _remarks(entries: list[Checkup]) -> str:
    lines: list[str] = []
    for entry in entries:
        remarks = [f"  {warning.where}: {warning.what}" for warning in entry.warnings]
        if entry.problem is not None:
            remarks.insert(0, f"  error: {entry.problem}")
        if remarks:
            lines.extend(["", entry.path, *remarks])
    return "".join(f"{visible(line)}\n" for line in lines)
