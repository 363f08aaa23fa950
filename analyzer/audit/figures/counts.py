"""Counting sessions by a value, in an order that never depends on the order of rows; sums that don't either; the weeks
in which sessions began; and intervals of proportions, without the library of statistics, whose import takes as long as
that of all the rest of the program."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from analyzer.model.audit_figures import Count, Share
from analyzer.model.audit_index import Unit


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


def rounded(value: float | None, digits: int = 6) -> float | None:
    """A number with so many digits; None for an unknown one."""
    return None if value is None else round(value, digits)


def wilson(yes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The score interval of a proportion (Wilson 1927; Brown, Cai & DasGupta 2001, eq. 4): from 0 to 1 of nothing."""
    if not trials:
        return 0.0, 1.0
    observed, z = yes / trials, NormalDist().inv_cdf((1 + confidence) / 2)
    square = z * z
    middle = (observed + square / (2 * trials)) / (1 + square / trials)
    reach = z * sqrt(observed * (1 - observed) / trials + square / (4 * trials * trials)) / (1 + square / trials)
    return (0.0 if yes == 0 else middle - reach), (1.0 if yes == trials else middle + reach)


def share(count: int, of: int) -> Share:
    """`count` of `of` with the Wilson score interval at 95% (Wilson 1927; Brown, Cai & DasGupta 2001, eq. 4)."""
    if not of:
        return Share(count=count, of=of, share=None, low=None, high=None)
    low, high = wilson(count, of)
    return Share(count=count, of=of, share=round(count / of, 4), low=round(low, 4), high=round(high, 4))


@lru_cache(maxsize=10_000)
def start_of(unit: Unit, moment: str | None) -> str | None:
    """The first day of the week, month or year of a recorded time, or its day, as logged; None for what is no time."""
    try:
        day = date.fromisoformat((moment or "")[:10])
    except ValueError:
        return None
    if unit == "week":
        day -= timedelta(days=day.weekday())
    elif unit == "month":
        day = day.replace(day=1)
    elif unit == "year":
        day = day.replace(month=1, day=1)
    return day.isoformat()
