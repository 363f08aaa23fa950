"""What the program knows: the formats that it reads, what it looks for, and the form of its JSON."""

from __future__ import annotations

import textwrap
from itertools import groupby

import click
from click.shell_completion import CompletionItem

from analyzer.cli.console.command import Command, ExitCode
from analyzer.cli.console.options import output_option
from analyzer.cli.console.output import WIDTH, Target, check_target, entry, table, write


@click.command("formats", cls=Command, short_help="List the transcript formats that are read.")
def formats() -> ExitCode:
    """List the transcript formats, which versions of each have been seen, and what it never records (a report shows
    that as unknown).

    \b
    Examples:
      analyze-session formats
      analyze-session run.log --input-format chat
    """
    from analyzer.formats.loading.registry import formats as known

    listed = ""
    for form in known():
        never = ", ".join(getattr(form, "not_recorded", ())) or "nothing"
        facts = [f"seen: {getattr(form, 'versions', 'not said')}", f"never recorded: {never}"]
        listed += entry(f"{form.name} - {form.title}", facts)
    write(listed, None)
    return ExitCode.DONE


@click.command("detectors", cls=Command, short_help="List the detectors.")
def detectors() -> ExitCode:
    """List the detectors with their families and the first line of their manual pages.

    LIVE says which of them can follow a session while it happens (the command watch, and the guard for agents' own
    loops); the others need the end of it.

    \b
    Examples:
      analyze-session detectors
      analyze-session run.json --select loops
      analyze-session run.json --ignore environment
    """
    from analyzer.detectors.engine.interface import LiveDetector
    from analyzer.detectors.engine.manual import manual_page
    from analyzer.detectors.engine.registry import detectors as known
    from analyzer.detectors.engine.table import families

    rows = [
        (entry.name, "yes" if isinstance(entry, LiveDetector) else "-", manual_page(entry).splitlines()[0])
        for entry in known()
    ]
    kin = [(family, ", ".join(rule.name for rule in rules)) for family, rules in families().items()]
    names = table(("NAME", "LIVE", "WHAT IT FLAGS"), rows, width=WIDTH)
    write(names + "\n" + table(("FAMILY", "DETECTORS"), kin, width=WIDTH), None)
    return ExitCode.DONE


_PLAIN_WIDTH = 80
"""Columns where no terminal says how many there are."""


def _complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from analyzer.detectors.engine.registry import detectors

    return [CompletionItem(entry.name) for entry in detectors() if entry.name.startswith(incomplete)]


@click.command("explain", cls=Command, short_help="Show the manual page of a detector.")
@click.argument("name", metavar="NAME", shell_complete=_complete)
def explain(name: str) -> ExitCode:
    """Show the manual page of the detector NAME: what it flags, why that matters, what it does not flag.

    \b
    Examples:
      analyze-session explain loops
    """
    from analyzer.detectors.engine.manual import known_detector, manual_page

    write(fill(manual_page(known_detector(name)), Target().width or _PLAIN_WIDTH) + "\n", None)
    return ExitCode.DONE


_MARKS = ("- ", "* ", "$ ", "> ")


def fill(page: str, width: int) -> str:
    """The page with its paragraphs filled to `width` columns. Lines of a paragraph share their indentation; headings,
    items of lists and blank lines stand alone."""
    shown: list[str] = []
    for (indent, prose), group in groupby(page.splitlines(), _shape):
        lines = list(group)
        if prose and any(len(line) > width for line in lines):
            text = " ".join(line.strip() for line in lines)
            filled = textwrap.wrap(text, width - indent, break_long_words=False, break_on_hyphens=False)
            shown += [f"{' ' * indent}{line}" for line in filled]
        else:
            shown += lines
    return "\n".join(shown)


def _shape(line: str) -> tuple[int, bool]:
    """How far a line is indented, and whether it may be a part of a paragraph."""
    text = line.lstrip()
    return len(line) - len(text), bool(text) and not text.startswith(_MARKS)


CONTRACTS = ("post-mortem", "diff", "audit", "find", "compare", "backtest", "case-study", "scenario")
"""The keys of `analyzer.report.schema.CONTRACTS`, which a help page needs without the models."""


@click.command("schema", cls=Command, short_help="Print the JSON Schemas of the JSON output.")
@click.argument("contract", metavar=f"[{'|'.join(CONTRACTS)}]", default="post-mortem", type=click.Choice(CONTRACTS))
@output_option
def schema(contract: str, output: str | None) -> ExitCode:
    """Print the JSON Schema of what `--format json` prints (post-mortem, the default), of an audit's report.json
    (audit), of what diff, find, compare, backtest and case-study print as JSON, or of the scenario files of case
    studies (scenario).

    \b
    Examples:
      analyze-session schema
      analyze-session schema audit
      analyze-session schema scenario -o scenario.schema.json
      analyze-session schema -o analyze-session.schema.json
    """
    from analyzer.report.json import dump
    from analyzer.report.schema import schema as report_schema

    check_target(output)
    write(dump(report_schema(contract), indent=2), output)
    return ExitCode.DONE
