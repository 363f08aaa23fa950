"""Biome."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, diagnostics, summed
from analyzer.text.plain import next_lines

NAME = "biome"
LANGUAGE = "javascript"
KIND = LINTED

_PLACE = re.compile(
    (
        r"^ {0,4}(?:at )?(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}?)(?::(?P<line>\d{1,9}):\d{1,9})? (?P<code>[a-z]"
        r"[\w/]{2,100})(?: +(?:FIXABLE|DEPRECATED))? +━{3,}$"
    ),
    re.MULTILINE,
)
_MESSAGE = re.compile(r"^ +(?P<mark>[×!✖i]) (?P<message>\S[^\n]*)$")
_SUMMARY = re.compile(r"^Found (?P<errors>\d{1,6}) errors?\.$", re.MULTILINE)


def read(text: str) -> Diagnostics | None:
    """The first error with its rule, and how many there are."""
    found = []
    for place in _PLACE.finditer(text):
        said = next((row for line in next_lines(text, place.end() + 1, 6) if (row := _MESSAGE.match(line))), None)
        message = said["message"].strip() if said else place["code"]
        level = "warning" if said is not None and said["mark"] in "!i" else "error"
        line = int(place["line"]) if place["line"] else None
        found.append(Diagnostic(place["file"], line, level, message, place["code"], None, place.end()))
    return diagnostics(NAME, KIND, found, summed(text, _SUMMARY))
