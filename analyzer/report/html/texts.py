"""Texts of a transcript as a page shows them: short ones whole, of longer ones the beginning and the end with the
middle folded, and all of them together no larger than the page may be, so that it opens quickly: a page about a
hundred actions weighs less than 300 kB, longer ones more, up to a limit."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

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
LEAST = 120
"""A text is never cut to less."""
_NOTHING = Markup()


class Shown(Struct, frozen=True):
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
    return Shown(Markup("\n").join(map(_line, lines))) if lines else None


def _line(line: str) -> Markup:
    kind = _CLASSES.get(line[:1])
    return Markup('<span class="{}">{}</span>').format(kind, plain(line)) if kind is not None else plain(line)


def weights_of(session: PostMortem) -> dict[tuple[str, int], int]:
    """How many times as much of their texts some steps may show as others: those of failures and of findings."""
    weights = {(failure.lane, failure.step): 2 for failure in session.failures}
    for finding in session.findings:
        if finding.severity is not Severity.INFO:
            for step in (finding.first_step, finding.detectable_at, *(shown.step for shown in finding.evidence)):
                weights[finding.lane, step] = 4
    return weights


LARGEST = 290_000
"""How many bytes the page of one session with up to a hundred actions may have."""
_BESIDE = 90_000
"""About what a page weighs without the texts of its steps; if it's more, they're cut further."""
_PER_ACTION = 600
"""Bytes of text that each further action adds."""
_MOST_TEXT = 1_500_000
"""And how many they may add in all."""
_FRAME = 1_300
"""About what an action weighs without its texts, and those that it may add."""
_FURTHER_SESSION = 70_000
_FITTED = 1_000
"""Pages of more actions aren't drawn again to save a few bytes."""


class Budget:
    """`level` is how many characters of each text the page shows; of weightier steps some times as many."""

    def __init__(self, pages: Sequence[tuple[PostMortem, Sequence[StepText]]]) -> None:
        self._sizes: list[tuple[int, int]] = []
        self._actions = 0
        sample = weighed = 1
        for session, steps in pages:
            weights = weights_of(session)
            self._actions += len(steps)
            for step in steps:
                weight = weights.get((step.lane, step.step), 1)
                for text in step.texts():
                    self._sizes.append((len(text), weight))
                    start = text.head[:500]
                    sample += len(start)
                    weighed += len(plain(start).encode())
        self._per_byte = sample / weighed
        further = max(0, self._actions - 100)
        self._room = LARGEST - _BESIDE + min(_MOST_TEXT, _PER_ACTION * further)
        self._most = LARGEST + _FRAME * further + _FURTHER_SESSION * max(0, len(pages) - 1)
        self.level = self._level()

    def exceeded(self, size: int) -> bool:
        """Whether a page drawn at this level with so many bytes is too large and can be made smaller; the level is then
        lower than before."""
        if size <= self._most or self._actions > _FITTED or self.level <= LEAST:
            return False
        before = self.level
        # About how many bytes the texts take at this level.
        used = sum(min(size, before * weight) for size, weight in self._sizes) / self._per_byte
        self._room = max(0, min(self._room, int(used)) - (size - self._most) - 2_000)
        self.level = self._level()
        return self.level < before

    def _level(self) -> int:
        return water_level(self._sizes, int(self._room * self._per_byte), LEAST)
