"""What `go build`, `go vet`, staticcheck and golangci-lint complain of."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import (
    COMPILED,
    LINTED,
    Diagnostic,
    Diagnostics,
    above_carets,
    diagnostics,
    summed,
)
from analyzer.text.plain import next_lines

NAME = "go"
LANGUAGE = "go"
KIND = COMPILED

_PLACE = re.compile(
    (
        r"^(?:vet: )?(?P<file>[^\s:]{1,400}\.go):(?P<line>\d{1,9}):\d{1,9}: (?P<message>[^\n]+)"
        r"(?:\n(?P<wrapped>\t[^\n]{1,200}))?"
    ),
    re.MULTILINE,
)
_LINTED = re.compile(r" \((?:[a-z]{2,30}|[A-Z]{1,3}\d{4})\)$")
"""golangci-lint names the linter at the end of its line, staticcheck the check."""
_SUMMARY = re.compile(r"^(?P<errors>\d{1,6}) issues?(?::|\.)$", re.MULTILINE)


def read(text: str) -> Diagnostics | None:
    """The first complaint, from which the others often follow, and how many there are."""
    found = [_complaint(text, place) for place in _PLACE.finditer(text)]
    linted = found and all(_LINTED.search(each.message) and not each.message.endswith("(typecheck)") for each in found)
    return diagnostics(NAME, LINTED if linted else COMPILED, found, summed(text, _SUMMARY))


def _complaint(text: str, place: re.Match[str]) -> Diagnostic:
    message = place["message"].strip()
    if message.endswith(":") and place["wrapped"]:
        message = f"{message} {place['wrapped'].strip()}"
    shown = above_carets(next_lines(text, place.end() + 1, 2)) if _LINTED.search(message) else None
    return Diagnostic(place["file"], int(place["line"]), "error", message, None, shown, place.end())
