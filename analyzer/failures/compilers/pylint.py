"""pylint."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, diagnostics

NAME = "pylint"
LANGUAGE = "python"
KIND = LINTED

_PLACE = re.compile(
    (
        r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.pyi?):(?P<line>\d{1,9}):\d{1,9}: (?P<code>(?P<letter>[CRWEFI])"
        r"\d{4}): (?P<message>[^\n]+)$"
    ),
    re.MULTILINE,
)


def read(text: str) -> Diagnostics | None:
    """The first error (codes `E` and `F`) or, without one, the first complaint; errors and the rest are counted
    apart."""
    found = [
        Diagnostic(
            place["file"],
            int(place["line"]),
            "error" if place["letter"] in "EF" else "warning",
            place["message"].strip(),
            place["code"],
            None,
            place.end(),
        )
        for place in _PLACE.finditer(text)
    ]
    return diagnostics(NAME, KIND, found)
