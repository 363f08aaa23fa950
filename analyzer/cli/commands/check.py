"""`analyze-session check`: a doctor for transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import input_format_option
from analyzer.cli.console.output import note, write
from analyzer.cli.console.table import entry

if TYPE_CHECKING:
    from analyzer.checkup import Checkup


@click.command("check", cls=Command, short_help="Say how well each transcript was read.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(readable=False, allow_dash=True))
@click.option(
    "-f",
    "--format",
    "chosen",
    type=click.Choice(("text", "json")),
    default="text",
    help="The format of the output.  [default: text]",
)
@input_format_option
@click.option("--strict", is_flag=True, help="Exit with 1 if anything was not understood.")
@click.option("-q", "--quiet", is_flag=True, help="Only files with something to report.")
def check(paths: tuple[str, ...], chosen: str, input_format: str | None, strict: bool, quiet: bool) -> ExitCode:
    """Say of each transcript how well it was read: its format, what was found, what was not understood.

    PATH is a file, or a directory whose files are looked at one by one. Records are counted where a file consists of
    such (JSON counts them by type as well). Damaged are the lines or entries that are no record at all; a record of an
    unknown type, or without what it should hold, counts as a record, and a warning says what was left out of it. A file
    that can't be read, and a large one that yields nothing, is an error: exit code 2.

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
    if chosen == "json":
        import json

        write(json.dumps([checkup.as_dict() for checkup in shown], indent=2, ensure_ascii=True) + "\n", None)
    elif shown:
        write("".join(map(_described, shown)), None)
    problems = sum(checkup.problem is not None for checkup in found)
    partly = sum(not checkup.understood for checkup in found) - problems
    if not quiet:
        note(
            f"{len(found)} files: {len(found) - problems - partly} understood, {partly} with remarks, {problems} "
            "not read"
        )
    if problems:
        return ExitCode.USAGE
    return ExitCode.GATE if strict and partly else ExitCode.DONE


COMMAND = check


def _described(found: Checkup) -> str:
    """One file: what it is, what it holds, what it records, and what was not understood."""
    lines = [", ".join(_contents(found))]
    if found.sessions:
        lines += [", ".join(_unpaired(found))] if _unpaired(found) else []
        lines.append(_recorded(found))
    lines += [f"error: {found.problem}"] if found.problem is not None else []
    return entry(found.path, [*lines, *(f"{warning.where}: {warning.what}" for warning in found.warnings)])


def _contents(found: Checkup) -> Iterator[str]:
    yield found.format or "unknown format"
    yield _count(found.size_bytes, "byte")
    if found.sessions:
        if records := sum(found.records.values()):
            yield _count(records, "record")
        if found.records_damaged:
            yield f"{found.records_damaged} damaged"
        yield _count(found.sessions, "session")
        yield _count(found.actions, "action")
        if found.warnings:
            yield _count(len(found.warnings), "warning")


def _unpaired(found: Checkup) -> list[str]:
    calls, results = found.calls_without_result, found.results_without_call
    return [
        *([f"{_count(calls, 'call')} without a result"] if calls else []),
        *([f"{_count(results, 'result')} without a call"] if results else []),
    ]


def _recorded(found: Checkup) -> str:
    """What the sessions record, and what none of them does."""
    facts = {
        "times": found.with_times,
        "tokens": found.with_tokens,
        "cost": found.with_cost,
        "status": found.with_status,
    }
    there = [
        name if count == found.sessions else f"{name} ({count} of {found.sessions})"
        for name, count in facts.items()
        if count
    ]
    missing = [name for name, count in facts.items() if not count]
    return f"recorded: {', '.join(there) or 'none'}; not recorded: {', '.join(missing) or 'none'}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
