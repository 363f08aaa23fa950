"""Seconds as places across a picture, with long gaps cut out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_SHORTEST_CUT = 60.0
_SHARE = 0.15
_MOST_CUTS = 8
BREAK = 30.0
"""How wide the place of a gap that was cut out is."""
_UNITS = (
    1,
    2,
    5,
    10,
    15,
    30,
    60,
    120,
    300,
    600,
    900,
    1_800,
    3_600,
    7_200,
    14_400,
    21_600,
    43_200,
    86_400,
    172_800,
    604_800,
    1_209_600,
    2_592_000,
)


@dataclass(slots=True, frozen=True)
class TimeScale:
    """From seconds to units: `cuts` are the gaps left out, from when to when, in order; `unit` is how wide a second
    is."""

    left: float
    begin: float
    cuts: tuple[tuple[float, float], ...]
    unit: float

    def at(self, second: float) -> float:
        """Where a moment is; a moment in a gap that was cut is at the end of the break."""
        x = self.left + (second - self.begin) * self.unit
        for start, end in self.cuts:
            if second <= start:
                break
            x += BREAK - (min(second, end) - start) * self.unit
        return x

    def tick(self, room: float) -> float:
        """The time between two ticks that are at least `room` apart."""
        return float(next((size for size in _UNITS if size * self.unit >= room), _UNITS[-1]))


def scale_of(spans: Sequence[tuple[float, float]], left: float, right: float) -> TimeScale:
    """The scale that puts these stretches of time between `left` and `right`. Gaps of more than a minute are cut out,
    the longest first, as long as each would be more than 15% of what is left without it and the longer ones."""
    ordered = sorted(spans)
    begin, reached = ordered[0][0], ordered[0][1]
    gaps = []
    for start, end in ordered:
        if start > reached:
            gaps.append((reached, start))
        reached = max(reached, end)
    whole = reached - begin
    longest = sorted(
        (gap for gap in gaps if gap[1] - gap[0] > _SHORTEST_CUT), key=lambda gap: (gap[0] - gap[1], gap[0])
    )[:_MOST_CUTS]
    cuts: list[tuple[float, float]] = []
    rest = whole
    for count, (start, end) in enumerate(longest, 1):
        rest -= end - start
        if end - start > _SHARE * rest:
            cuts, left_over = longest[:count], rest
    if cuts:
        whole = left_over
    return TimeScale(left, begin, tuple(sorted(cuts)), (right - left - BREAK * len(cuts)) / whole if whole > 0 else 0.0)


def short(seconds: float, unit: float) -> str:
    """A moment for a tick, with ticks `unit` seconds apart: `45 s`, `3 min`, `3:30 min`, `2 h`, `2:30 h`, `4 d`."""
    whole = round(seconds)
    if unit >= 86_400:
        return f"{whole // 86_400} d"
    if whole >= 3_600 or unit >= 3_600:
        hours, rest = divmod(whole, 3_600)
        return f"{hours} h" if not rest else f"{hours}:{rest // 60:02d} h"
    if whole >= 60:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min" if not rest else f"{minutes}:{rest:02d} min"
    return f"{whole} s"
