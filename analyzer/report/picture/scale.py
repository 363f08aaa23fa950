"""Axes: from which value to which they go, where their ticks are, and what is written at them; and seconds as places
across a picture, with long gaps cut out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from markupsafe import Markup

from analyzer.model.struct import Struct
from analyzer.report.picture.svg import element, label, line
from analyzer.report.safe import clip

Unit = Literal["share", "count"]
"""What is measured. A share goes from 0 to 1 and is written in percent."""
LETTER = 6.4
"""How wide a letter of the charts' 12 px type is at most on average; texts are cut by it, so that the same bytes come
out everywhere."""
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


class Scale(Struct, frozen=True):
    """From 0 to `high`. `ticks` are values on it, in order."""

    high: float
    ticks: tuple[float, ...]
    unit: Unit

    def label(self, tick: float) -> str:
        """What is written at a tick: `25%`, `12`, `20k`."""
        if self.unit == "share":
            return f"{_short(100 * tick)}%"
        size, unit = next((each for each in ((1e9, "G"), (1e6, "M"), (1e3, "k")) if tick >= each[0]), (1.0, ""))
        return f"{_short(tick / size)}{unit}"


def scale_of(values: Iterable[float | None], unit: Unit, *, whole: bool = False) -> Scale:
    """The scale that has room for all `values`, with at most seven ticks at round numbers. It begins at 0, since bars
    and distances would lie otherwise. `whole` makes that of shares go to 100%, so that several pictures can be
    compared."""
    known = [value for value in values if value is not None]
    high = max(known, default=1.0)
    if unit == "share" and (whole or high > 0.5):
        return Scale(1.0, (0.0, 0.25, 0.5, 0.75, 1.0), unit)
    high = high or (0.1 if unit == "share" else 1.0)
    step = _step(high / 6, unit)
    ticks = tuple(round(index * step, 10) for index in range(math.ceil(high / step - 1e-9) + 1))
    return Scale(ticks[-1], ticks, unit)


def _step(least: float, unit: Unit) -> float:
    """The smallest round distance between ticks that is at least `least`."""
    if unit == "count" and least <= 1:
        return 1.0
    steps = (factor * 10.0 ** math.floor(math.log10(least)) for factor in _ROUND)
    return next(step for step in steps if step >= least * (1 - 1e-9) and (unit == "share" or step == int(step)))


def _short(value: float) -> str:
    return f"{round(value, 2):g}"


class Axis(Struct, frozen=True):
    """A scale in a picture, from `start`, where its 0 is, to `end`."""

    scale: Scale
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a value is."""
        return self.start + value / self.scale.high * (self.end - self.start)

    def across(self, top: float, bottom: float, name: str = "") -> Markup:
        """The axis below a picture: lines at the ticks from `top` to `bottom`, what is written at them where there's
        room, and its name."""
        made: list[Markup] = []
        free = self.start - 100.0
        for tick in self.scale.ticks:
            x, text = self(tick), self.scale.label(tick)
            half = len(text) * LETTER / 2
            made.append(line(x, top, x, bottom, "tick"))
            if x - half > free + 10:
                free = x + half
                made.append(label(text, x, bottom + 15, "dim", anchor="middle"))
        if name:
            middle = (self.start + self.end) / 2
            made.append(label(cut(name, self.end - self.start), middle, bottom + 33, "dim", anchor="middle"))
        return element("g", *made, class_="axis", aria_hidden="true")

    def up(self, left: float, right: float, *more: Markup) -> Markup:
        """The axis at the left of a picture, with lines from `left` to `right`."""
        made: list[Markup] = []
        for tick in self.scale.ticks:
            y = self(tick)
            made.append(line(left, y, right, y, "tick"))
            made.append(label(self.scale.label(tick), left - 6, y + 4, "dim", anchor="end"))
        return element("g", *made, *more, class_="axis", aria_hidden="true")


def cut(text: str, room: float) -> str:
    """A text on one line, cut where it would be wider than `room` pixels."""
    return clip(text, max(1, int(room / LETTER)))


_SHORTEST_CUT = 60.0
_SHARE = 0.15
_MOST_CUTS = 8
BREAK = 30.0
"""How wide the place of a gap that was cut out is."""
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_UNITS = (
    *(1, 2, 5, 10, 15, 30),
    *(_MINUTE * count for count in (1, 2, 5, 10, 15, 30)),
    *(_HOUR * count for count in (1, 2, 4, 6, 12)),
    *(_DAY * count for count in (1, 2, 7, 14, 30)),
)


class TimeScale(Struct, frozen=True):
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

    def moments(self, every: float, right: float) -> Iterator[float]:
        """The times since the beginning at which ticks are, as far as `right`; none inside of a gap that was cut."""
        moment = 0.0
        while self.unit > 0 and self.at(self.begin + moment) <= right:
            gap = next((end for start, end in self.cuts if start < self.begin + moment < end), None)
            if gap is None:
                yield moment
                moment += every
            else:
                moment = -(-(gap - self.begin) // every) * every


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
