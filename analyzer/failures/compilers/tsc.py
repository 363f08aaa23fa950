"""The TypeScript compiler, plain and pretty, and what is printed in its form (ts-node, vue-tsc, webpack's checker)."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import COMPILED, Diagnostic, Diagnostics, diagnostics, summed
from analyzer.text.plain import next_lines

NAME = "tsc"
LANGUAGE = "typescript"
KIND = COMPILED

_PLACE = re.compile(
    (
        r"^[ \t]{0,4}(?:(?P<file>(?:[A-Za-z]:)?[^\s:(][^:\n]{0,400}?)(?:\((?P<line>\d{1,9}),\d{1,9}\): "
        r"|:(?P<pretty_line>\d{1,9}):\d{1,9} - ))?(?P<level>error|warning) (?P<code>TS\d{1,6}): (?P<message>[^\n]+)$"
    ),
    re.MULTILINE,
)
_SHOWN = re.compile(r"^ {0,8}(?P<line>\d{1,9}) (?P<code>[^\n]+)$")
_SUMMARY = re.compile(r"^Found (?P<errors>\d{1,6}) errors?\b", re.MULTILINE)


def read(text: str) -> Diagnostics | None:
    """The first error with its code, and how many there are."""
    return diagnostics(NAME, KIND, [_complaint(text, place) for place in _PLACE.finditer(text)], summed(text, _SUMMARY))


def _complaint(text: str, place: re.Match[str]) -> Diagnostic:
    line = place["line"] or place["pretty_line"]
    shown = None
    if place["pretty_line"]:
        for candidate in next_lines(text, place.end() + 1, 3):
            if (code := _SHOWN.match(candidate)) and code["line"] == line:
                shown = code["code"].strip()
    return Diagnostic(
        place["file"],
        int(line) if line else None,
        place["level"],
        place["message"].strip(),
        place["code"],
        shown,
        place.end(),
    )
