"""Which format a report is written in: what was asked for, else what the file's suffix says, else what suits where it
goes."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import PurePath

import click
from click.core import ParameterSource

from analyzer.cli.console.options import use_color
from analyzer.cli.console.output import STDOUT, is_terminal
from analyzer.cli.console.safe_text import without_escapes

PAGE_FORMATS = ("markdown", "html", "json", "terminal")
"""What every report that is a page can be written in."""
HTML_FORMATS = (*PAGE_FORMATS, "html")
"""The same for reports that have an HTML page as well."""
_OF_SUFFIX = {
    ".html": "html",
    ".htm": "html",
    ".json": "json",
    ".md": "markdown",
    ".markdown": "markdown",
    ".sarif": "sarif",
    ".csv": "csv",
}
_FOREIGN = frozenset({".pdf", ".xml", ".yaml", ".yml"})
"""Suffixes that promise what no command writes."""


def report_format(context: click.Context, given: str | None, output: str | None, formats: Collection[str]) -> str:
    """One of `formats`. `given` is the value of the option `format`, wherever it comes from. Raises
    `click.BadParameter` for a file whose suffix promises another format."""
    asked = context.get_parameter_source("format") is ParameterSource.COMMANDLINE
    return (
        (given if asked else None)
        or _of_suffix(output, formats)
        or given
        or ("terminal" if to_terminal(output) else "markdown")
    )


def shown_markdown(text: str, chosen: str, output: str | None, color: str, *, unfold: bool) -> str:
    """A page of Markdown as it's to be written: set for a terminal where that's the format, without escapes where a
    terminal shows it."""
    if chosen == "terminal":
        from analyzer.cli.console.terminal import render

        return render(text, color=use_color(color, to_terminal(output)), unfold=unfold)
    return without_escapes(text) if to_terminal(output) else text


def to_terminal(output: str | None) -> bool:
    """Whether the report is shown to a person directly."""
    return output in (None, STDOUT) and is_terminal(sys.stdout)


def shows_unicode(output: str | None) -> bool:
    """Whether lines and arrows can be shown where the report goes; a file or a pipe has UTF-8."""
    if not to_terminal(output):
        return True
    try:
        "┌─┬┐·…".encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _of_suffix(output: str | None, formats: Collection[str]) -> str | None:
    suffix = PurePath(output or "").suffix.lower()
    promised = _OF_SUFFIX.get(suffix)
    if suffix in _FOREIGN or (promised is not None and promised not in formats):
        raise click.BadParameter(
            f"there is no report format for {suffix!r}; name one with -f.", param_hint="'-o' / '--output'"
        )
    return promised
