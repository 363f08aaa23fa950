"""The old and the new text of an edit as one diff, with a class for each sort of line."""

from __future__ import annotations

import difflib

from markupsafe import Markup

from analyzer.report.html.texts import Shown, plain

_AROUND = 3
"""Unchanged lines that are shown before and after a change."""
_MOST = 400
"""Lines of a text up to which it's compared: what is longer is shown as it is."""
_CLASSES = {"+": "ins", "-": "del", "@": "at"}


def diff_of(old: str, new: str) -> Shown | None:
    """The changed lines with some around them; None where the texts are too long, or equal."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > _MOST:
        return None
    lines = list(difflib.unified_diff(before, after, lineterm="", n=_AROUND))[2:]
    if not lines:
        return None
    gaps = [line for line in lines if line.startswith("@@")]
    shown = lines[1:] if len(gaps) == 1 else lines
    return Shown(Markup("\n").join(_line(line) for line in shown))


def _line(line: str) -> Markup:
    kind = _CLASSES.get(line[:1])
    text = "\u22ef" if kind == "at" else plain(line)
    return Markup('<span class="{}">{}</span>').format(kind, text) if kind is not None else plain(line)
