"""mypy, plain and pretty."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, above_carets, diagnostics, summed
from analyzer.text.plain import next_lines

NAME = "mypy"
LANGUAGE = "python"
KIND = LINTED

_PLACE = re.compile(
    (
        r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.pyi?):(?P<line>\d{1,9}):(?:\d{1,9}:)? (?P<level>error): "
        r"(?P<message>[^\n]+)$"
    ),
    re.MULTILINE,
)
_SUMMARY = re.compile(r"^Found (?P<errors>\d{1,6}) errors? in \d{1,6} files? \(", re.MULTILINE)


def read(text: str) -> Diagnostics | None:
    """The first error with its code in brackets, and how many there are."""
    found = [
        Diagnostic(
            place["file"],
            int(place["line"]),
            "error",
            place["message"].strip(),
            None,
            above_carets(next_lines(text, place.end() + 1, 3)),
            place.end(),
        )
        for place in _PLACE.finditer(text)
    ]
    return diagnostics(NAME, KIND, found, summed(text, _SUMMARY))
