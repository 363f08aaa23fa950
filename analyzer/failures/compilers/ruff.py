"""ruff, and the tools that print `file:line:column: CODE message` as it does (flake8, pycodestyle, pydocstyle)."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, diagnostics, summed
from analyzer.text.plain import next_lines

NAME = "ruff"
LANGUAGE = "python"
KIND = LINTED

_PLACE = re.compile(
    (
        r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.(?:pyi?|ipynb(?::cell \d{1,5})?)):(?P<line>\d{1,9}):\d{1,9}: "
        r"(?P<code>[A-Z]{1,5}\d{2,5}|invalid-syntax|SyntaxError):? (?:\[\*\] )?(?P<message>[^\n]+)$"
    ),
    re.MULTILINE,
)
_FULL = re.compile(
    (
        r"^(?P<code>[A-Z]{1,5}\d{2,5}|invalid-syntax|unformatted|SyntaxError)(?: \[\*\])?:? (?:\[\*\] )"
        r"?(?P<message>[^\n]+)\n +--> (?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}):(?:cell \d{1,5}:)?(?P<line>\d{1,9})"
        r":\d{1,9}$"
    ),
    re.MULTILINE,
)
_SHOWN = re.compile(r"^ {0,6}(?P<line>\d{1,9}) \| ?(?P<code>[^\n]*)$")
_SUMMARY = re.compile(r"^Found (?P<errors>\d{1,6}) errors?(?: \([^)\n]{1,80}\))?\.$", re.MULTILINE)


def read(text: str) -> Diagnostics | None:
    """The first complaint with its code, and how many there are."""
    found = [_complaint(text, place) for pattern in (_PLACE, _FULL) for place in pattern.finditer(text)]
    return diagnostics(NAME, KIND, found, summed(text, _SUMMARY))


def _complaint(text: str, place: re.Match[str]) -> Diagnostic:
    shown = next(
        (
            row["code"].strip()
            for line in next_lines(text, place.end() + 1, 8)
            if (row := _SHOWN.match(line)) and row["line"] == place["line"]
        ),
        None,
    )
    return Diagnostic(
        place["file"], int(place["line"]), "error", place["message"].strip(), place["code"], shown, place.end()
    )
