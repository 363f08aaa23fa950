"""The old and the new text of an edit as one diff, with a class for each sort of line."""

from __future__ import annotations

import difflib

from markupsafe import Markup

from analyzer.report.html.texts import Shown, plain

_MOST = 400
"""Lines of a text up to which it's compared: what is longer is shown as it is."""
_CLASSES = {"+": "ins", "-": "del"}


def diff_of(old: str, new: str) -> Shown | None:
    """All lines of both texts, those that differ marked; None where the texts are too long, or equal."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > _MOST:
        return None
    lines = list(difflib.unified_diff(before, after, lineterm="", n=_MOST))[3:]
    if not lines:
        return None
    return Shown(Markup("\n").join(_line(line) for line in lines))


def _line(line: str) -> Markup:
    kind = _CLASSES.get(line[:1])
    return Markup('<span class="{}">{}</span>').format(kind, plain(line)) if kind is not None else plain(line)
