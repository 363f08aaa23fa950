"""`analyze-session explain NAME`: the manual page of a detector."""

from __future__ import annotations

import textwrap
from itertools import groupby

import click
from click.shell_completion import CompletionItem

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.output import write
from analyzer.cli.console.target import Target

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


COMMAND = explain


_MARKS = ("- ", "* ", "$ ", "> ")


def fill(page: str, width: int) -> str:
    """The page with its paragraphs filled to `width` columns. Lines of a paragraph share their indentation; headings,
    items of lists and blank lines stand alone."""
    shown: list[str] = []
    for (indent, prose), group in groupby(page.splitlines(), _shape):
        lines = list(group)
        if prose and any(len(line) > width for line in lines):
            text, margin = " ".join(line.strip() for line in lines), " " * indent
            shown += textwrap.wrap(
                text,
                width,
                initial_indent=margin,
                subsequent_indent=margin,
                break_long_words=False,
                break_on_hyphens=False,
            )
        else:
            shown += lines
    return "\n".join(shown)


def _shape(line: str) -> tuple[int, bool]:
    """How far a line is indented, and whether it may be a part of a paragraph."""
    text = line.lstrip()
    return len(line) - len(text), bool(text) and not text.startswith(_MARKS)
