"""The Kotlin compiler, by itself, through Gradle and through Maven."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import COMPILED, Diagnostic, Diagnostics, above_carets, diagnostics
from analyzer.text.plain import next_lines

NAME = "kotlinc"
LANGUAGE = "kotlin"
KIND = COMPILED

_PLACE = re.compile(
    r"^(?:(?P<plain>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.kts?):(?P<plain_line>\d{1,9}):\d{1,9}: "
    r"(?P<plain_level>error|warning):"
    r"|(?P<level>[ew]): (?:file://)?(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.kts?):(?: "
    r"?\((?P<old_line>\d{1,9}), ?\d{1,9}\):|(?P<line>\d{1,9}):\d{1,9}:?)"
    r"|\[(?P<maven_level>ERROR|WARNING)\] (?P<maven>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.kts?):(?: ?[\[(]"
    r"(?P<maven_line>\d{1,9}),[^\n\])]{0,20}[\])]:?|(?P<maven_plain>\d{1,9}):\d{1,9}))"
    r" (?P<message>[^\n]+)$",
    re.MULTILINE,
)
_LEVELS = {"e": "error", "w": "warning"}


def read(text: str) -> Diagnostics | None:
    """The first error, and how many there are; the tool has no closing line."""
    return diagnostics(NAME, KIND, [_complaint(text, place) for place in _PLACE.finditer(text)])


def _complaint(text: str, place: re.Match[str]) -> Diagnostic:
    file = place["plain"] or place["file"] or place["maven"]
    line = place["plain_line"] or place["line"] or place["old_line"] or place["maven_line"] or place["maven_plain"]
    level = place["plain_level"] or _LEVELS.get(place["level"] or "") or (place["maven_level"] or "error").lower()
    shown = above_carets(next_lines(text, place.end() + 1, 2))
    return Diagnostic(file, int(line), level, place["message"].strip(), None, shown, place.end())
