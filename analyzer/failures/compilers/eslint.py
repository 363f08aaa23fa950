"""ESLint (stylish, compact and unix forms) and oxlint's closing line of the same shape."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, diagnostics, summed

NAME = "eslint"
LANGUAGE = "javascript"
KIND = LINTED

_STYLISH = re.compile(
    (
        r"^(?P<file>(?:[A-Za-z]:)?[\w./\\@~-][^\n:]{0,400}\.\w{1,8})$|^ {1,8}(?P<line>\d{1,9}):\d{1,9} "
        r"+(?P<level>error|warning) +(?P<message>\S[^\n]{0,1000}?)(?: {2,200}(?P<code>[@\w/-]{1,100}))?$"
    ),
    re.MULTILINE,
)
_OTHER = re.compile(
    r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}): line (?P<line>\d{1,9}), col \d{1,9}, (?P<level>Error|Warning)"
    r" - (?P<message>[^\n]+?)(?: \((?P<code>[@\w/-]{1,100})\))?$"
    r"|^(?P<unix_file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}):(?P<unix_line>\d{1,9}):\d{1,9}: (?P<unix_message>[^\n]"
    r"+?) \[(?P<unix_level>Error|Warning)(?:/(?P<unix_code>[@\w/-]{1,100}))?\]$",
    re.MULTILINE,
)
_SUMMARY = re.compile(
    r"^[✖×x]? ?\d{1,6} problems? \((?P<errors>\d{1,6}) errors?, (?P<warnings>\d{1,6}) warnings?\)", re.MULTILINE
)


def read(text: str) -> Diagnostics | None:
    """The first error with its rule, and how many there are."""
    counts = summed(text, _SUMMARY)
    found = [*_stylish(text), *(_other(place) for place in _OTHER.finditer(text))]
    return diagnostics(NAME, KIND, found, counts)


def _stylish(text: str) -> list[Diagnostic]:
    """Rows stand under the file that they're about."""
    found: list[Diagnostic] = []
    file: str | None = None
    for row in _STYLISH.finditer(text):
        if row["file"]:
            file = row["file"]
        elif file is not None:
            found.append(
                Diagnostic(file, int(row["line"]), row["level"], row["message"].strip(), row["code"], None, row.end())
            )
    return found


def _other(place: re.Match[str]) -> Diagnostic:
    if place["file"]:
        return Diagnostic(
            place["file"],
            int(place["line"]),
            place["level"].lower(),
            place["message"],
            place["code"],
            None,
            place.end(),
        )
    level = place["unix_level"].lower()
    return Diagnostic(
        place["unix_file"], int(place["unix_line"]), level, place["unix_message"], place["unix_code"], None, place.end()
    )
