"""Axes: from which value to which they go, where their ticks are, and what is written at them; and seconds as places
across a picture, with long gaps cut out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Unit = Literal["share", "points", "count", "seconds", "tokens", "usd", "factor"]
"""What is measured. A share goes from 0 to 1 and is written in percent; `points` are differences of shares; a factor is
a ratio on a logarithmic axis, written as a change (`+50%`, `x3`)."""

_DECADE = (1.0, 2.0, 2.5, 5.0)
_TIMES = (1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400)
_FACTORS: Mapping[float, str] = MappingProxyType(
    {
        0.01: "-99%",
        0.1: "-90%",
        0.25: "-75%",
        0.5: "-50%",
        0.7: "-30%",
        0.9: "-10%",
        1.0: "same",
        1.1: "+10%",
        1.4: "+40%",
        2.0: "x2",
        4.0: "x4",
        10.0: "x10",
        100.0: "x100",
    }
)


@dataclass(slots=True, frozen=True)
class Scale:
    """One axis. `ticks` are values between `low` and `high`, in order."""

    low: float
    high: float
    ticks: tuple[float, ...]
    unit: Unit

    def place(self, value: float) -> float:
        """Where a value lies, from 0 at `low` to 1 at `high`; what lies outside is placed at the end."""
        low, high = self._at(self.low), self._at(self.high)
        return min(1.0, max(0.0, (self._at(value) - low) / (high - low)))

    def holds(self, value: float) -> bool:
        """Whether a value lies on the axis."""
        return self.low <= value <= self.high

    def label(self, tick: float) -> str:
        """What is written at a tick."""
        return tick_label(tick, self.unit)

    def _at(self, value: float) -> float:
        return math.log(max(value, 1e-9)) if self.unit == "factor" else value


def scale_of(values: Iterable[float | None], unit: Unit, *, most: int = 6, whole: bool = False) -> Scale:
    """The axis that has room for all `values`, with at most `most` ticks or one more at round numbers. It begins at 0
    where no value is negative, since bars and distances would lie otherwise. `whole` makes that of shares go from 0 to
    100%, so that several pictures can be compared."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    if unit == "factor":
        return _factors(known)
    low, high = min(0.0, *known, 0.0), max(0.0, *known, 0.0)
    if unit == "share" and (whole or high > 0.5 or not known):
        return Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0), unit)
    if low == high:
        high = {"share": 0.1, "points": 0.1, "usd": 0.01}.get(unit, 1.0)
    step = _step((high - low) / most, unit)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(index * step, 10) for index in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], ticks, unit)


def _step(least: float, unit: Unit) -> float:
    """The smallest round distance between ticks that is at least `least`."""
    if unit == "seconds":
        for step in _TIMES:
            if step >= least:
                return step
    if unit in ("count", "tokens") and least <= 1:
        return 1.0
    decade = 10.0 ** math.floor(math.log10(least))
    for factor in (*_DECADE, 10.0):
        step = factor * decade
        if step >= least * (1 - 1e-9) and (unit not in ("count", "tokens") or step == int(step)):
            return step
    return 10.0 * decade


def _factors(known: list[float]) -> Scale:
    above = [value for value in known if value > 0]
    low, high = min([0.7, *above]), max([1.4, *above])
    low, high = max(low, 0.005), min(high, 200.0)
    return Scale(
        low * 0.95, high * 1.05, tuple(tick for tick in _FACTORS if low * 0.95 <= tick <= high * 1.05), "factor"
    )


def tick_label(value: float, unit: Unit) -> str:
    """`25%`, `+10`, `12`, `5 min`, `20k`, `$0.05`, `x2`: short, for the ticks of an axis."""
    if unit == "factor":
        return _FACTORS.get(value) or f"x{value:.2g}"
    if unit == "share":
        return f"{_short(100 * value)}%"
    if unit == "points":
        return f"{round(100 * value, 2):+g}" if value else "0"
    if unit == "seconds":
        return _time(value)
    if unit == "usd":
        return (
            f"${value:,.0f}".replace(",", " ")
            if value == int(value)
            else f"${value:.10f}".rstrip("0")
            if abs(value) < 0.01
            else f"${value:.2f}"
        )
    return _amount(value)


def _time(seconds: float) -> str:
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if abs(seconds) >= size:
            return f"{_short(seconds / size)} {unit}"
    return f"{_short(seconds)} s"


def _amount(value: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{_short(value / size)}{unit}"
    return _short(value)


def _short(value: float) -> str:
    return f"{round(value, 2):g}"


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


def time_scale_of(spans: Sequence[tuple[float, float]], left: float, right: float) -> TimeScale:
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


def time_label(seconds: float, unit: float) -> str:
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
