"""Texts of a transcript as a page shows them: short ones whole, of longer ones the beginning and the end with the
middle folded, and all of them together no larger than the page may be."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from markupsafe import Markup

from analyzer.model.step_texts import Text
from analyzer.report.safe import visible

WHOLE = 2_000
"""Texts up to so many characters are shown at once."""
_HEAD, _TAIL = 1_200, 500
"""What is shown at once of longer ones."""
_LINE = 200
"""How far a cut moves to fall between two lines."""
LEAST = 120
"""A text is never cut to less."""
_NOTHING = Markup()


@dataclass(slots=True, frozen=True)
class Shown:
    """A text in pieces, escaped: `head` and `tail` are open, `before` and `after` are folded, `missing` characters
    between those two are only in the recording."""

    head: Markup
    before: Markup = _NOTHING
    missing: int = 0
    after: Markup = _NOTHING
    tail: Markup = _NOTHING
    folded: int = 0


def plain(text: str) -> Markup:
    """Text of an element. Quotes need no escape there, which spares a tenth of a page that is full of code."""
    return Markup(visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def shown(text: Text, limit: int) -> Shown:
    """`text` with at most `limit` characters, the rest counted."""
    cut = text.cut(max(limit, LEAST))
    if len(cut) <= WHOLE:
        if not cut.omitted:
            return Shown(plain(cut.head + cut.tail))
        first, last = _before(cut.head, len(cut.head), len(cut.head) // 4), _after(cut.tail, 0, len(cut.tail) // 4)
        head, tail = cut.head[:first].rstrip("\n"), cut.tail[last:].lstrip("\n")
        return Shown(plain(head), missing=cut.omitted + len(cut) - len(head) - len(tail), tail=plain(tail))
    if cut.omitted:
        first = _before(cut.head, min(_HEAD, len(cut.head)))
        last = _after(cut.tail, max(0, len(cut.tail) - _TAIL))
        pieces = (cut.head[:first], cut.head[first:], cut.tail[:last], cut.tail[last:])
    else:
        whole = cut.head + cut.tail
        first, last = _before(whole, _HEAD), _after(whole, len(whole) - _TAIL)
        pieces = (whole[:first], whole[first:last], "", whole[last:])
    head, before, after, tail = (plain(piece.strip("\n")) for piece in pieces)
    return Shown(head, before, cut.omitted, after, tail, len(pieces[1]) + len(pieces[2]))


def _before(text: str, place: int, far: int = _LINE) -> int:
    """The end of the last line before `place`, if it isn't far."""
    found = text.rfind("\n", max(0, place - min(far, _LINE)), place)
    return found + 1 if found >= 0 else place


def _after(text: str, place: int, far: int = _LINE) -> int:
    """The beginning of the first line after `place`, if it isn't far."""
    found = text.find("\n", place, place + min(far, _LINE))
    return found + 1 if found >= 0 else place


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
