"""Which earlier edit of a file an edit reverses, by the texts that the two exchange."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.struct import Struct

_LEAST_TEXT = 8
"""Characters that two edits must have in common to be held to be at the same place, where one quotes more of the file
around them than the other."""
_MOST = 200
"""Edits of one file that are remembered, the latest ones."""

Texts = tuple[str, str]
"""What an edit replaces, and by what."""


class _Made(Struct):
    """The edits that a step made in a file."""

    step: int
    texts: Sequence[Texts]


class Standing:
    """The edits of one file whose text still stands."""

    def __init__(self) -> None:
        self._standing: list[_Made] = []
        self._changed_by: dict[int, list[_Made]] = {}
        """The edits whose text another step has changed, by that step."""

    def take(self, step: int, texts: Sequence[Texts]) -> int | None:
        """A step makes these edits; the step whose edits they reverse, all of them and nothing else. None where the
        same text was put in at several places, so that the one at which it's taken out isn't known."""
        related = {
            id(entry): entry
            for entry in self._standing
            for _, became in entry.texts
            for before, _ in texts
            if before in became or became in before
        }.values()
        matches = [entry for entry in related if _reverse(texts, entry.texts)]
        undone = matches[0] if len(matches) == 1 else None
        befores = [before for before, _ in texts if before]
        changed = matches or [  # what changes what earlier ones put in
            entry
            for entry in related
            if any(became and (text in became or became in text) for text in befores for _, became in entry.texts)
        ]
        self._standing = [entry for entry in self._standing if entry not in changed]
        if undone is not None:
            self._standing.extend(self._changed_by.pop(undone.step, ()))
        elif changed:
            self._changed_by.setdefault(step, []).extend(changed)
        if not (matches and undone is None):
            self._standing = [*self._standing[1 - _MOST :], _Made(step, texts)]
        return undone.step if undone is not None else None


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
