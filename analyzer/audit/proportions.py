"""Intervals of proportions. Every page of an audit asks for them, so that the library of statistics, whose import takes
as long as that of all the rest of the program, isn't loaded for them."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def wilson(yes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The score interval of a proportion (Wilson 1927; Brown, Cai & DasGupta 2001, eq. 4): from 0 to 1 of nothing."""
    if not trials:
        return 0.0, 1.0
    observed, z = yes / trials, NormalDist().inv_cdf((1 + confidence) / 2)
    square = z * z
    middle = (observed + square / (2 * trials)) / (1 + square / trials)
    reach = z * sqrt(observed * (1 - observed) / trials + square / (4 * trials * trials)) / (1 + square / trials)
    return (0.0 if yes == 0 else middle - reach), (1.0 if yes == trials else middle + reach)
