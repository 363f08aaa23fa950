"""RuboCop."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, diagnostics

NAME = "rubocop"
LANGUAGE = "ruby"
KIND = LINTED

_PLACE = re.compile(
    (
        r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}):(?P<line>\d{1,9}):\d{1,9}: (?P<level>[CRWEF]): (?:\[\w+\] )"
        r"?(?:(?P<code>[A-Z]\w{1,40}/\w{1,80}): )?(?P<message>[^\n]+)\n(?P<shown>[^\n]*)"
    ),
    re.MULTILINE,
)


def read(text: str) -> Diagnostics | None:
    """The first error or else the first offence, and how many there are."""
    found = [
        Diagnostic(
            place["file"],
            int(place["line"]),
            "error" if place["level"] in "EF" else "warning",
            place["message"].strip(),
            place["code"],
            place["shown"].strip() or None,
            place.end(),
        )
        for place in _PLACE.finditer(text)
    ]
    return diagnostics(NAME, KIND, found)
