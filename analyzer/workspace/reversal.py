"""Which earlier edit of a file an edit reverses, by the texts that the two exchange."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analyzer.workspace.containment import Containment

_LEAST_TEXT = 8
"""Characters that two edits must have in common to be held to be at the same place, where one quotes more of the file
around them than the other."""

Texts = tuple[str, str]
"""What an edit replaces, and by what."""


@dataclass(slots=True)
class _Made:
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
