"""svelte-check: a place on one line, what is wrong there on the next."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import COMPILED, Diagnostic, Diagnostics, diagnostics, summed

NAME = "svelte-check"
LANGUAGE = "typescript"
KIND = COMPILED

_PLACE = re.compile(
    (
        r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.\w{1,8}):(?P<line>\d{1,9}):\d{1,9}\n(?P<level>Error"
        r"|Warn(?:ing)?): (?P<message>[^\n]+)$"
    ),
    re.MULTILINE,
)
_SUMMARY = re.compile(
    r"^svelte-check found (?P<errors>\d{1,6}) errors? and (?P<warnings>\d{1,6}) warnings?", re.MULTILINE
)


def read(text: str) -> Diagnostics | None:
    """The first error, and how many there are."""
    found = [
        Diagnostic(
            place["file"],
            int(place["line"]),
            "error" if place["level"] == "Error" else "warning",
            place["message"].strip(),
            None,
            None,
            place.end(),
        )
        for place in _PLACE.finditer(text)
    ]
    return diagnostics(NAME, KIND, found, summed(text, _SUMMARY))
