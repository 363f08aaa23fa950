"""Which earlier edit of a file an edit reverses, by the texts that the two exchange."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.struct import Struct, field
from analyzer.text.late import late

_WORD = late(r"\w+")
_LEAST_TEXT = 8
"""Characters that two edits must have in common to be held to be at the same place, where one quotes more of the file
around them than the other."""

Texts = tuple[str, str]
"""What an edit replaces, and by what."""


class _Made(Struct):
    """The edits that a step made in a file. `place` is their number among all edits of the file, `numbers` are those
    of the texts that they put in."""

    place: int
    step: int
    texts: list[Texts]
    numbers: list[int] = field(default_factory=list)


class Standing:
    """The edits of one file whose text still stands."""

    def __init__(self) -> None:
        self._count = 0
        self._standing: dict[int, _Made] = {}
        self._put_in = Containment()
        """The texts that these put in, under numbers of their own."""
        self._numbers = 0
        self._place_of: dict[int, int] = {}
        self._changed_by: dict[int, list[_Made]] = {}
        """The edits whose text another step has changed, by that step."""

    def take(self, step: int, texts: Sequence[Texts]) -> int | None:
        """A step makes these edits; the step whose edits they reverse, all of them and nothing else. None where the
        same text was put in at several places, so that the one at which it's taken out isn't known."""
        related = self._related(texts)
        matches = [entry for entry in related if _reverse(texts, entry.texts)]
        if len(matches) > 1:
            self._change(matches, step)
            return None
        undone = matches[0] if matches else None
        if undone is not None:
            self._remove(undone)
            for entry in self._changed_by.pop(undone.step, ()):
                self._add(entry)
        else:
            self._change([entry for entry in related if _touch(texts, entry.texts)], step)
        self._count += 1
        self._add(_Made(self._count, step, list(texts)))
        return undone.step if undone is not None else None

    def _change(self, entries: Sequence[_Made], step: int) -> None:
        """A step changes what these had put in."""
        for entry in entries:
            self._remove(entry)
            self._changed_by.setdefault(step, []).append(entry)

    def _related(self, texts: Sequence[Texts]) -> list[_Made]:
        """The edits that these may change or take back, in order: of what the one replaces and the other put in, one
        holds the other then."""
        found = {number for before, _ in texts for number in self._put_in.related(before)}
        return [self._standing[place] for place in sorted({self._place_of[number] for number in found})]

    def _add(self, entry: _Made) -> None:
        self._standing[entry.place] = entry
        for _, became in entry.texts:
            number = self._numbers = self._numbers + 1
            self._put_in.put(number, became)
            self._place_of[number] = entry.place
            entry.numbers.append(number)

    def _remove(self, entry: _Made) -> None:
        del self._standing[entry.place]
        for number in entry.numbers:
            self._put_in.remove(number)
            del self._place_of[number]
        entry.numbers.clear()


def _reverse(texts: Sequence[Texts], earlier: Sequence[Texts]) -> bool:
    """Whether edits take back as many earlier ones."""
    if len(texts) != len(earlier):
        return False
    left = list(earlier)
    for edit in texts:
        match = next((other for other in left if _reverses(edit, other)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _reverses(edit: Texts, other: Texts) -> bool:
    (before, after), (was, became) = edit, other
    if (before, after) == (became, was):
        return before != after
    return _wider((before, after), (became, was)) or _wider((became, was), (before, after))


def _wider(wide: Texts, narrow: Texts) -> bool:
    """Whether two edits exchange the same texts, though one quotes more of what stands around them."""
    side = 0 if len(narrow[0]) >= len(narrow[1]) else 1
    text = narrow[side]
    if len(text.strip()) < _LEAST_TEXT or wide[side].count(text) != 1:
        return False
    head, tail = wide[side].split(text)
    return wide[1 - side] == head + narrow[1 - side] + tail


def _touch(texts: Sequence[Texts], earlier: Sequence[Texts]) -> bool:
    """Whether edits change what earlier ones put in."""
    return any(
        became and (before in became or became in before) for before, _ in texts if before for _, became in earlier
    )


class Containment:
    """Texts under numbers.

    Where one text stands within another, each word of the first that neither begins nor ends it is a word of the other
    as well: only texts that share such a word are compared. A text without one is compared with all.
    """

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._holding: dict[str, set[int]] = {}
        """The texts by each of their words."""
        self._anchors: dict[int, str] = {}
        self._anchored: dict[str, set[int]] = {}
        """The texts by one of the words that neither begin nor end them: the one that was rarest among those known."""
        self._loose: dict[int, str] = {}
        """The texts that have no such word."""

    def put(self, number: int, text: str) -> None:
        """Add a text."""
        self._texts[number] = text
        inner = _inner(text)
        if inner:
            anchor = self._anchors[number] = min(inner, key=lambda word: (len(self._holding.get(word, ())), -len(word)))
            self._anchored.setdefault(anchor, set()).add(number)
        else:
            self._loose[number] = text
        for word in _words(text):
            self._holding.setdefault(word, set()).add(number)

    def remove(self, number: int) -> None:
        """Take a text out again."""
        text = self._texts.pop(number)
        if self._loose.pop(number, None) is None:
            self._anchored[self._anchors.pop(number)].discard(number)
        for word in _words(text):
            self._holding[word].discard(number)

    def related(self, text: str) -> set[int]:
        """The texts that hold a text, or that it holds."""
        inner = _inner(text)
        rarest = min((self._holding.get(word, set()) for word in inner), key=len) if inner else self._texts.keys()
        found = {number for number in rarest if text in self._texts[number]}
        found.update(number for number, loose in self._loose.items() if loose in text)
        for word in _words(text):
            found.update(number for number in self._anchored.get(word, ()) if self._texts[number] in text)
        return found


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def _inner(text: str) -> dict[str, None]:
    """The words of a text that neither begin nor end it, in order."""
    return {found[0]: None for found in _WORD.finditer(text) if found.start() > 0 and found.end() < len(text)}
