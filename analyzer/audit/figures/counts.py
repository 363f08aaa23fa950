"""Counting sessions by a value, in an order that never depends on the order of rows; and sums that don't either; and
intervals of proportions, without the library of statistics, whose import takes as long as that of all the rest of the
program."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from math import sqrt
from statistics import NormalDist

from analyzer.model.audit_figures import Count


def counted(counts: Mapping[str | None, int] | Mapping[str, int], most: int | None = None) -> list[Count]:
    """How often each known value occurs, the most frequent first, equal ones by name, at most `most`."""
    known = ((value, count) for value, count in counts.items() if value is not None)
    ordered = sorted(known, key=lambda entry: (-entry[1], entry[0]))
    return [Count(value=value, sessions=count) for value, count in ordered[:most]]


def total(values: Iterable[float]) -> float:
    """The sum, rounded once at its end."""
    known = list(values)
    try:
        return math.fsum(known)
    except (OverflowError, ValueError):
        return sum(known)


class Sum:
    """The sum of numbers that come one after the other, rounded once at its end, and how many they are."""

    __slots__ = ("_parts", "count")

    def __init__(self) -> None:
        self.count = 0
        self._parts: list[float] = []

    def add(self, value: float) -> None:
        """Add a number, without losing any digit (Shewchuk 1997)."""
        self.count += 1
        kept = []
        for part in self._parts:
            high, low = (value, part) if abs(value) >= abs(part) else (part, value)
            value = high + low
            rest = low - (value - high)
            if rest and math.isfinite(rest):
                kept.append(rest)
        self._parts = [*kept, value]

    @property
    def total(self) -> float:
        """The sum so far."""
        return total(self._parts)

    @property
    def known(self) -> float | None:
        """The sum to six digits; None where there was nothing to add."""
        return round(self.total, 6) if self.count else None


def wilson(yes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The score interval of a proportion (Wilson 1927; Brown, Cai & DasGupta 2001, eq. 4): from 0 to 1 of nothing."""
    if not trials:
        return 0.0, 1.0
    observed, z = yes / trials, NormalDist().inv_cdf((1 + confidence) / 2)
    square = z * z
    middle = (observed + square / (2 * trials)) / (1 + square / trials)
    reach = z * sqrt(observed * (1 - observed) / trials + square / (4 * trials * trials)) / (1 + square / trials)
    return (0.0 if yes == 0 else middle - reach), (1.0 if yes == trials else middle + reach)
