"""Texts of a transcript as a page shows them: short ones whole, of longer ones the beginning and the end with the
middle folded, and all of them together no larger than the page may be, so that it opens quickly: a page about a
hundred actions weighs less than 150 kB, one about 270 less than 200 kB."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence

from markupsafe import Markup

from analyzer.model.postmortem import PostMortem
from analyzer.model.step_texts import StepText, Text, water_level
from analyzer.model.struct import Struct
from analyzer.model.words import Severity
from analyzer.report.safe import visible

WHOLE = 2_000
"""Texts up to so many characters are shown at once."""
_HEAD, _TAIL = 1_200, 500
"""What is shown at once of longer ones."""
_LINE = 200
"""How far a cut moves to fall between two lines."""
LEAST = 60
"""A text is never cut to less."""
_SPARED = 40
"""What isn't worth leaving out."""
_NOTHING = Markup()


class Shown(Struct, frozen=True):
    """A text in pieces, escaped: `head` and `tail` are open, `before` and `after` are folded, `missing` characters
    between those two are only in the recording. `same` leads to where the same text is shown instead."""

    head: Markup
    before: Markup = _NOTHING
    missing: int = 0
    after: Markup = _NOTHING
    tail: Markup = _NOTHING
    folded: int = 0
    same: Markup = _NOTHING


def plain(text: str) -> Markup:
    """Text of an element. Quotes need no escape there, which spares a tenth of a page that is full of code."""
    return Markup(visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def shown(text: Text, limit: int) -> Shown:
    """`text` with at most `limit` characters, the rest counted; whole where saying that would take more than is
    left out."""
    cut = text if len(text) <= limit + _SPARED else text.cut(max(limit, LEAST))
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


def shown_once(text: Text, limit: int, here: Markup, places: dict[Text, tuple[int, Markup]]) -> Shown:
    """The same; of a text that was shown before with as many characters only where: `places` remembers that, and `here`
    is a link to this one."""
    there, place = places.get(text, (0, here))
    if len(text) > LEAST and there >= min(limit, len(text)):
        return Shown(_NOTHING, same=place)
    places[text] = limit, here
    return shown(text, limit)


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
    return Shown(Markup("\n").join(map(_line, lines))) if lines else None


def _line(line: str) -> Markup:
    kind = _CLASSES.get(line[:1])
    return Markup('<span class="{}">{}</span>').format(kind, plain(line)) if kind is not None else plain(line)


def weights_of(session: PostMortem) -> dict[tuple[str, int], int]:
    """How many times as much of their texts some steps may show as others: those of failures, of findings, and the
    last."""
    weights = {(failure.lane, failure.step): 2 for failure in session.failures}
    weights |= {(row.lane, row.step): 3 for row in session.timeline[-3:]}
    for finding in session.findings:
        if finding.severity is not Severity.INFO:
            for step in (finding.first_step, finding.detectable_at, *(shown.step for shown in finding.evidence)):
                weights[finding.lane, step] = 4
    return weights


_PAGE, _PER_ACTION, _PER_SESSION = 150_000, 185, 70_000
"""How many bytes a page may have, how many more for each action, and for each session but the first."""
_PACKED = 0.3
"""About what a byte of text weighs in a page that packs it."""
_BARE, _BARE_ACTION, _MUCH = 45_000, 1_300, 0.2
"""About how many bytes a page has without texts, and how many more for each action; the share of a page that may stay
empty where texts are cut."""
_FITTED, _MOST_TEXT = 1_000, 1_500_000
"""Pages of more actions aren't drawn several times to fit, but have so many bytes of texts."""


class Budget:
    """How many characters of each text a page shows; of weightier steps some times as many."""

    def __init__(self, pages: Sequence[tuple[PostMortem, Sequence[StepText]]]) -> None:
        self._sizes: list[tuple[int, int]] = []
        self._actions = 0
        for session, steps in pages:
            weights = weights_of(session)
            self._actions += len(steps)
            for step in steps:
                weight = weights.get((step.lane, step.step), 1)
                self._sizes += [(len(plain(text.head).encode()) + len(text.tail), weight) for text in step.texts()]
        self._most = _PAGE + _PER_ACTION * self._actions + _PER_SESSION * max(0, len(pages) - 1)

    def fitted(self, draw: Callable[[int], str]) -> str:
        """The page as `draw` makes it of a limit, with as much of its texts as fits."""
        if self._actions > _FITTED:
            return draw(water_level(self._sizes, _MOST_TEXT, LEAST))
        whole, best, spare = sum(size for size, _ in self._sizes), "", 0
        room = int((self._most - _BARE - _BARE_ACTION * self._actions) / _PACKED)
        while True:
            level = water_level(self._sizes, room, LEAST)
            text = draw(level)
            spare = self._most - len(text.encode())
            if level <= LEAST or (spare < 0 and best):
                return best or text
            if spare < 0:
                room = min(room, whole) + int((spare - 1_000) / _PACKED)
            elif best or room >= whole or spare < _MUCH * self._most:
                return text
            else:
                best, room = text, room + int(spare / _PACKED)
