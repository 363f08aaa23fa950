"""rustc, by itself and through cargo (build, check, test, clippy), in the long and the short form."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import COMPILED, Diagnostic, Diagnostics, diagnostics
from analyzer.text.expressions import compiled
from analyzer.text.plain import next_lines

NAME = "rustc"
LANGUAGE = "rust"
KIND = COMPILED

_LONG = compiled(
    r"^(?P<message>(?P<level>error|warning)(?:\[E\d{1,5}\])?: [^\n]+)(?:\n(?![ ]*--> )[^\n]{1,300}){0,3}?\n[ ]"
    r"{0,8}--> (?P<file>(?:[A-Za-z]:)?[^\n:]{1,400}):(?P<line>\d{1,9}):\d{1,9}$"
    r"|^(?P<placeless>error\[E\d{1,5}\]: [^\n]+)$",
    re.MULTILINE,
)
_SHORT = compiled(
    (
        r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^\n:]{0,400}\.rs):(?P<line>\d{1,9}):\d{1,9}: (?P<message>(?P<level>error"
        r"|warning)(?:\[E\d{1,5}\])?: [^\n]+)$"
    ),
    re.MULTILINE,
)
_SHOWN = compiled(r"^[ ]{0,6}(?P<line>\d{1,9}) \|(?: [ /|])? ?(?P<code>[^\n]*)$")
_LABEL = compiled(r"^[ ]{0,8}\|[^\n^]{0,400}\^+ (?P<label>[^\n^]{1,300})$")
_SUMMARY = compiled(
    (
        r"^error: (?:could not compile [^\n]{1,200}? due to|aborting due to) (?:(?P<errors>\d{1,6}) )?previous "
        r"errors?(?:; (?P<warnings>\d{1,6}) warnings? emitted)?"
    ),
    re.MULTILINE,
)
_MOST_SHOWN = 14


def read(text: str) -> Diagnostics | None:
    """The first error with the label that explains it, and how many there are."""
    found = [_complaint(text, place) for place in _LONG.finditer(text)]
    found.extend(
        Diagnostic(place["file"], int(place["line"]), place["level"], place["message"], None, None, place.end())
        for place in _SHORT.finditer(text)
    )
    counts = {"errors": 0, "warnings": 0}
    for closing in _SUMMARY.finditer(text):
        counts["errors"] += int(closing["errors"] or 1)
        counts["warnings"] += int(closing["warnings"] or 0)
    return diagnostics(NAME, KIND, found, {name: number for name, number in counts.items() if number} or None)


def _complaint(text: str, place: re.Match[str]) -> Diagnostic:
    if place["placeless"]:
        return Diagnostic(None, None, "error", place["placeless"], None, None, place.end())
    code = label = None
    for line in next_lines(text, place.end() + 1, _MOST_SHOWN):
        if line.startswith(("error", "warning", "note", "help")) or not line.strip():
            break
        shown = _SHOWN.match(line)
        if shown and shown["line"] == place["line"]:
            code = shown["code"].strip()
        label = label or _LABEL.match(line)
    message = place["message"]
    if label is not None and label["label"].strip() not in message:
        message = f"{message}: {label['label'].strip()}"
    return Diagnostic(place["file"], int(place["line"]), place["level"], message, None, code, place.end())
