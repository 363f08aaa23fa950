"""ShellCheck in its own form."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, diagnostics

NAME = "shellcheck"
LANGUAGE = "shell"
KIND = LINTED

_PLACE = re.compile(
    (
        r"^In (?P<file>[^\n]{1,400}) line (?P<line>\d{1,9}):$|^ *\^-*\^? (?P<code>SC\d{4}) \((?P<level>error|warning"
        r"|info|style)\): (?P<message>[^\n]+)$"
    ),
    re.MULTILINE,
)


def read(text: str) -> Diagnostics | None:
    """The first error or else the first complaint, and how many there are."""
    found: list[Diagnostic] = []
    file: str | None = None
    line: int | None = None
    for place in _PLACE.finditer(text):
        if place["file"]:
            file, line = place["file"], int(place["line"])
        elif file is not None:
            level = "error" if place["level"] == "error" else "warning"
            found.append(Diagnostic(file, line, level, place["message"].strip(), place["code"], None, place.end()))
    return diagnostics(NAME, KIND, found)
