"""oxlint: what is wrong on one line, the place in the frame below it."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, diagnostics, summed

NAME = "oxlint"
LANGUAGE = "javascript"
KIND = LINTED

_PLACE = re.compile(
    (
        r"^ {1,4}(?P<mark>[x×!⚠]) (?:(?P<code>[\w-]{1,40}\([\w/-]{1,80}\)): )?(?P<message>[^\n]+)\n {1,8}[,╭][-─]"
        r"\[(?P<file>[^\n\]:]{1,400}):(?P<line>\d{1,9}):\d{1,9}\]$"
    ),
    re.MULTILINE,
)
_SUMMARY = re.compile(r"^Found (?P<warnings>\d{1,6}) warnings? and (?P<errors>\d{1,6}) errors?\.", re.MULTILINE)


def read(text: str) -> Diagnostics | None:
    """The first error with its rule, and how many there are."""
    found = [
        Diagnostic(
            place["file"],
            int(place["line"]),
            "error" if place["mark"] in "x×" else "warning",
            place["message"].strip(),
            place["code"],
            None,
            place.end(),
        )
        for place in _PLACE.finditer(text)
    ]
    return diagnostics(NAME, KIND, found, summed(text, _SUMMARY))
