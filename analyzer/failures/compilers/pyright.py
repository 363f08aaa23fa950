"""pyright and basedpyright."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, diagnostics, summed

NAME = "pyright"
LANGUAGE = "python"
KIND = LINTED

_PLACE = re.compile(
    (
        r"^ {1,8}(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}):(?P<line>\d{1,9}):\d{1,9} - (?P<level>error|warning): "
        r"(?P<message>[^\n]+)$"
    ),
    re.MULTILINE,
)
_SUMMARY = re.compile(
    r"^(?P<errors>\d{1,6}) errors?, (?P<warnings>\d{1,6}) warnings?, \d{1,6} (?:informations?|notes?)", re.MULTILINE
)


def read(text: str) -> Diagnostics | None:
    """The first error with its rule in parentheses, and how many there are."""
    found = [
        Diagnostic(place["file"], int(place["line"]), place["level"], place["message"].strip(), None, None, place.end())
        for place in _PLACE.finditer(text)
    ]
    return diagnostics(NAME, KIND, found, summed(text, _SUMMARY))
