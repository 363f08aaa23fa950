"""How long the texts of a page may be, so that it opens quickly: a page about a hundred actions weighs less than 300
kB, longer ones more, up to a limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from analyzer.model.postmortem import PostMortem
from analyzer.model.step_texts import StepText
from analyzer.report.html.steps import Weights, texts_of
from analyzer.report.html.texts import LEAST, plain

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


class Shows(Protocol):
    """One session's part of a page."""

    @property
    def pm(self) -> PostMortem:
        """Its post-mortem."""

    @property
    def texts(self) -> Sequence[StepText]:
        """The texts of its steps."""


class Budget:
    """`level` is how many characters of each text the page shows; of weightier steps some times as many."""

    def __init__(self, pages: Sequence[Shows]) -> None:
        self._sizes: list[tuple[int, int]] = []
        self._actions = 0
        sample = weighed = 1
        for entry in pages:
            weights = Weights(entry.pm)
            self._actions += len(entry.texts)
            for step in entry.texts:
                weight = weights[step]
                for text in texts_of(step):
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
        self._room = max(0, min(self._room, self._used()) - (size - self._most) - 2_000)
        self.level = self._level()
        return self.level < before

    def _level(self) -> int:
        return water_level(self._sizes, int(self._room * self._per_byte))

    def _used(self) -> int:
        """About how many bytes the texts take at this level."""
        return int(sum(min(size, self.level * weight) for size, weight in self._sizes) / self._per_byte)


def water_level(sizes: Iterable[tuple[int, int]], room: int) -> int:
    """The largest common limit under which everything fits into `room`. A size comes with its weight: a text of weight
    3 may be three times as long as the limit. Without limit it's the largest size."""
    known = sorted((size / weight, size, weight) for size, weight in sizes)
    weights = sum(weight for _, _, weight in known)
    for ratio, size, weight in known:
        if ratio * weights > room:
            return max(LEAST, int(room / weights))
        room -= size
        weights -= weight
    return max((size for _, size, _ in known), default=LEAST)
