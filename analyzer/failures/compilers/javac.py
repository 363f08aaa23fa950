"""javac, by itself and through Ant, Gradle and Maven."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import COMPILED, Diagnostic, Diagnostics, above_carets, diagnostics, summed
from analyzer.text.plain import next_lines

NAME = "javac"
LANGUAGE = "java"
KIND = COMPILED

_PLAIN = re.compile(
    (
        r"^(?:[ ]{0,12}\[javac\] |:\w{1,60})?(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.java):(?P<line>\d{1,9}): "
        r"(?P<level>error|warning): (?P<message>[^\n]+)$"
    ),
    re.MULTILINE,
)
_MAVEN = re.compile(
    (
        r"^\[(?P<level>ERROR|WARNING)\] (?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.java):\[(?P<line>\d{1,9})"
        r"(?:,\d{1,9})?\] (?:error: )?(?P<message>[^\n]+)$"
    ),
    re.MULTILINE,
)
_DETAIL = re.compile(r"^(?:\[(?:ERROR|javac)\])? {1,8}symbol: {1,4}(?P<symbol>[^\n]{1,300})$")
_SUMMARY = re.compile(r"^(?:\[(?:INFO|javac)\] )?(?P<errors>\d{1,6}) errors?\s*$", re.MULTILINE)


def read(text: str) -> Diagnostics | None:
    """The first error with the symbol that it names, and how many there are."""
    found = [_complaint(text, place) for pattern in (_PLAIN, _MAVEN) for place in pattern.finditer(text)]
    return diagnostics(NAME, KIND, found, summed(text, _SUMMARY))


def _complaint(text: str, place: re.Match[str]) -> Diagnostic:
    below = next_lines(text, place.end() + 1, 5)
    symbol = next((detail["symbol"] for line in below if (detail := _DETAIL.match(line))), None)
    message = place["message"].strip()
    if symbol is not None and message.startswith("cannot find symbol"):
        message = f"cannot find symbol: {' '.join(symbol.split())}"
    return Diagnostic(
        place["file"], int(place["line"]), place["level"].lower(), message, None, above_carets(below), place.end()
    )
