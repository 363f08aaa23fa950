"""Names beside marks that lie close together: each where it covers neither a mark nor another name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_HEIGHT = 14.0
_RINGS = (12.0, 20.0, 30.0, 44.0, 60.0, 80.0, 104.0)
_SIDES = ((0.7, -0.7), (0.7, 0.7), (-0.7, -0.7), (-0.7, 0.7), (1.0, 0.0), (-1.0, 0.0), (0.2, -1.0), (0.2, 1.0))


@dataclass(slots=True, frozen=True)
class Placed:
    """Where a name is written: the start of its text on the base line, or its end where `ends`; `far` says that a
    line must lead to the mark."""

    x: float
    y: float
    ends: bool
    far: bool


@dataclass(slots=True, frozen=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def within(self, other: _Box) -> bool:
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.top >= other.top
            and self.bottom <= other.bottom
        )


def placed(
    names: Sequence[tuple[float, float, float]],
    marks: Sequence[tuple[float, float, float]],
    room: tuple[float, float, float, float],
) -> list[Placed]:
    """A place for each name, given as x and y of its mark and its own width, among all marks (x, y, half height),
    within `room` (left, top, right, bottom). Where there's no free place a name covers as few marks as it can, but no
    other name if that can be."""
    free = [_Box(x - size, y - size, x + size, y + size) for x, y, size in marks]
    taken: list[_Box] = []
    found = []
    for x, y, width in names:
        choices = [(ring, across, down) for ring in _RINGS for across, down in _SIDES]
        worth = []
        for number, (ring, across, down) in enumerate(choices):
            box = _box(x, y, width, ring, across, down)
            covered = sum(box.meets(other) for other in free)
            worth.append((not box.within(_Box(*room)), sum(box.meets(other) for other in taken), covered, number))
            if not any(worth[-1][:3]):
                break
        ring, across, down = choices[min(worth)[3]]
        box = _box(x, y, width, ring, across, down)
        taken.append(box)
        ends = across < 0
        found.append(Placed(box.right if ends else box.left, box.bottom - 3.5, ends, ring > _RINGS[0]))
    return found


def _box(x: float, y: float, width: float, ring: float, across: float, down: float) -> _Box:
    at, middle = x + ring * across, y + ring * down
    left = at - width if across < 0 else at
    return _Box(left, middle - _HEIGHT / 2, left + width, middle + _HEIGHT / 2)
