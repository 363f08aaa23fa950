"""The compilers of .NET (C#, F#, Visual Basic), by themselves, through MSBuild and through Mono."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import COMPILED, Diagnostic, Diagnostics, diagnostics, summed

NAME = "csc"
LANGUAGE = "csharp"
KIND = COMPILED

_PLACE = re.compile(
    (
        r"^[ \t]{0,8}(?:(?P<file>(?:[A-Za-z]:)?[^\s:(][^:\n]{0,400}?)\((?P<line>\d{1,9})(?:,\d{1,9}){0,3}\) ?|CSC ): "
        r"(?P<level>error|warning) (?P<code>(?:CS|FS|BC)\d{1,5}): (?P<message>[^\n]+)$"
    ),
    re.MULTILINE,
)
_PROJECT = re.compile(r" \[[^\]\n]{1,400}proj[^\]\n]{0,200}\]$")
_SUMMARY = re.compile(
    (
        r"^Compilation failed: (?P<errors>\d{1,6}) error\(s\), (?P<warnings>\d{1,6}) warnings?|^ *Build failed with "
        r"(?P<new>\d{1,6}) error\(s\)"
    ),
    re.MULTILINE,
)
_TOTALS = re.compile(r"^ +(?P<warnings>\d{1,6}) Warning\(s\)\n +(?P<errors>\d{1,6}) Error\(s\)$", re.MULTILINE)


def read(text: str) -> Diagnostics | None:
    """The first error with its code, and how many there are. MSBuild prints each of them twice."""
    found = [
        Diagnostic(
            place["file"],
            int(place["line"]) if place["line"] else None,
            place["level"],
            _PROJECT.sub("", place["message"].strip()),
            f"error {place['code']}",
            None,
            place.end(),
        )
        for place in _PLACE.finditer(text)
    ]
    counts = summed(text, _TOTALS) or summed(text, _SUMMARY)
    if counts is not None and "new" in counts:
        counts = {"errors": counts["new"]}
    return diagnostics(NAME, KIND, found, counts)
