"""Formatters that were asked whether anything would change: Prettier, black, ruff format, isort, rustfmt and gofmt say
which files."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, diagnostics

NAME = "formatter"
LANGUAGE = ""
KIND = LINTED

_PLACE = re.compile(
    r"^(?:[Ww]ould reformat:? (?P<black>\S[^\n]{0,400})|\[warn\] (?P<prettier>[^\s\[][^\n ]{0,400}\.\w{1,8})"
    r"|(?:\[(?P<prettier_error>error)\] (?P<unread>[^\s:]{1,400}): (?P<syntax>SyntaxError[^\n]*))"
    r"|ERROR: (?P<isort>\S[^\n]{0,400}\.pyi?) Imports are incorrectly sorted[^\n]*|Diff in (?P<rustfmt>[^\n:]"
    r"{1,400}?\.rs)(?: at line |:)(?P<line>\d{1,9}):?)$",
    re.MULTILINE,
)


def read(text: str) -> Diagnostics | None:
    """The first file that isn't formatted, or can't be read, and how many there are."""
    found = []
    for place in _PLACE.finditer(text):
        file = place["black"] or place["prettier"] or place["isort"] or place["rustfmt"] or place["unread"]
        message = place["syntax"] or f"{file} isn't formatted"
        found.append(
            Diagnostic(file, int(place["line"]) if place["line"] else None, "error", message, None, None, place.end())
        )
    return diagnostics(NAME, KIND, found)
