"""Which earlier edit of a file an edit reverses, by the texts that the two exchange."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_LEAST_TEXT = 8
"""Characters that two edits must have in common to be held to be at the same place, where one quotes more of the file
around them than the other."""

Texts = tuple[str, str]
"""What an edit replaces, and by what."""


@dataclass(slots=True)
class _Made:
    """The edits that a step made in a file. `changed_by` is the step that has changed what they put in."""

    step: int
    texts: list[Texts]
    changed_by: int | None = None


class Standing:
    """The edits of one file whose text still stands."""

    def __init__(self) -> None:
        self._made: list[_Made] = []

    def take(self, step: int, texts: Sequence[Texts]) -> int | None:
        """A step makes these edits; the step whose edits they reverse, all of them and nothing else. None where the
        same text was put in at several places, so that the one at which it's taken out isn't known."""
        matches = [entry for entry in self._made if entry.changed_by is None and _reverse(texts, entry.texts)]
        if len(matches) > 1:
            for entry in matches:
                entry.changed_by = step
            return None
        undone = matches[0] if matches else None
        if undone is not None:
            self._made.remove(undone)
        for entry in self._made:
            if undone is not None and entry.changed_by == undone.step:
                entry.changed_by = None
            elif undone is None and entry.changed_by is None and _touch(texts, entry.texts):
                entry.changed_by = step
        self._made.append(_Made(step, list(texts)))
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


def _touch(texts: Sequence[Texts], earlier: Sequence[Texts]) -> bool:
    """Whether edits change what earlier ones put in."""
    return any(
        became and (before in became or became in before) for before, _ in texts if before for _, became in earlier
    )
