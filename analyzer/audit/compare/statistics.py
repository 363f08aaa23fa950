"""Intervals and tests, the home of scipy here. Pure functions of numbers; differences are second minus first.

Where numbers are drawn at random the generator starts from a fixed seed, and every function gives for exchanged sides
the same with the other sign.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from math import comb, sqrt
from statistics import NormalDist
from types import ModuleType
from typing import Any

import numpy
from numpy.typing import NDArray

from analyzer.audit.figures.counts import wilson

Numbers = NDArray[numpy.float64]
Interval = tuple[float, float]
Stratum = tuple[Sequence[float], Sequence[float]]
"""The values of one task on the first and on the second side."""

SEED = 20_240_229
RESAMPLES = 9_999
"""Draws of a permutation test or a bootstrap."""
EXACT = 40_000
"""A permutation test looks at all arrangements where there are no more."""
_LARGE = 2_000
"""Sessions from which on the normal approximation says the same as resampling."""
_MOST_FOR_BARNARD = 200
_AT_ONCE = 4_000_000


@cache
def _stats() -> ModuleType:
    """`scipy.stats`, whose import takes as long as that of all the rest of the program."""
    from scipy import stats

    return stats


def newcombe(yes_a: int, a: int, yes_b: int, b: int, confidence: float) -> Interval:
    """The interval of a difference of two independent proportions from their Wilson intervals (Newcombe 1998,
    Statistics in Medicine 17:873, method 10)."""
    p, q = yes_a / a, yes_b / b
    (low_a, high_a), (low_b, high_b) = wilson(yes_a, a, confidence), wilson(yes_b, b, confidence)
    low = q - p - sqrt((q - low_b) ** 2 + (high_a - p) ** 2)
    return low, q - p + sqrt((high_b - q) ** 2 + (p - low_a) ** 2)


def newcombe_paired(both: int, only_a: int, only_b: int, neither: int, confidence: float) -> Interval:
    """The interval of a difference of two proportions of the same pairs (Newcombe 1998, Statistics in Medicine 17:2635,
    method 10)."""
    pairs = both + only_a + only_b + neither
    yes_a, yes_b = both + only_a, both + only_b
    p, q = yes_a / pairs, yes_b / pairs
    (low_a, high_a), (low_b, high_b) = wilson(yes_a, pairs, confidence), wilson(yes_b, pairs, confidence)
    product_of_sums = yes_a * (pairs - yes_a) * yes_b * (pairs - yes_b)
    surplus = float(both * neither - only_a * only_b)
    # A correction for continuity, where the pairs agree more often than by chance.
    surplus = max(surplus - pairs / 2, 0.0) if surplus > 0 else surplus
    phi = surplus / sqrt(product_of_sums) if product_of_sums else 0.0
    down_a, up_a, down_b, up_b = p - low_a, high_a - p, q - low_b, high_b - q
    below = sqrt(max(0.0, down_b**2 - 2 * phi * down_b * up_a + up_a**2))
    above = sqrt(max(0.0, up_b**2 - 2 * phi * up_b * down_a + down_a**2))
    return max(-1.0, q - p - below), min(1.0, q - p + above)


def mcnemar(only_a: int, only_b: int) -> float:
    """McNemar's exact test: of the pairs that differ, half would go either way (two-sided p of the binomial test)."""
    changed = only_a + only_b
    return float(_stats().binomtest(only_b, changed, 0.5).pvalue) if changed else 1.0


def two_proportions(yes_a: int, a: int, yes_b: int, b: int) -> tuple[str, float]:
    """An exact test of two independent proportions and its two-sided p: Barnard's, or above 200 sessions Fisher's."""
    table = [[yes_a, yes_b], [a - yes_a, b - yes_b]]
    if a + b > _MOST_FOR_BARNARD:
        return "Fisher, exact", float(_stats().fisher_exact(numpy.array(table)).pvalue)
    # Where all or none are counted no table could be more extreme.
    if yes_a + yes_b in (0, a + b):
        return "Barnard, exact", 1.0
    return "Barnard, exact", min(1.0, float(_stats().barnard_exact(table).pvalue))


def arrangements(sizes: Sequence[tuple[int, int]], limit: int) -> int:
    """In how many ways the sides' labels could be dealt out within tasks of so many sessions, counted up to a limit."""
    ways = 1
    for a, b in sizes:
        # n over k is at least n for 0 < k < n, and has thousands of digits for large ones.
        ways *= comb(a + b, a) if a + b <= limit or 0 in (a, b) else limit
        if ways >= limit:
            return limit
    return ways


def sign_flips(differences: Sequence[float]) -> float:
    """The two-sided p of the mean of paired differences: had the change no effect, each could as well have the other
    sign (Fisher 1935, The Design of Experiments, section 21).

    All signs are looked at where there are at most `EXACT` ways, else `RESAMPLES` drawn at random; for many pairs the
    normal approximation is used.
    """
    values = numpy.asarray(differences, float)
    # Pairs without a difference have no sign to flip.
    values = values[values != 0]
    many = len(values)
    if not many:
        return 1.0
    if many > _LARGE:
        return float(2 * _stats().norm.sf(abs(values.sum()) / sqrt(float(values @ values))))
    if 2**many <= EXACT:
        signs = (numpy.arange(2**many)[:, None] >> numpy.arange(many) & 1) * 2 - 1
        return float(numpy.mean(_as_far(signs @ values, values.sum(), values)))
    signs = numpy.random.default_rng(SEED).integers(0, 2, (RESAMPLES, many), dtype=numpy.int8) * 2 - 1
    return float((1 + numpy.count_nonzero(_as_far(signs @ values, values.sum(), values))) / (1 + RESAMPLES))


def permutation_test(strata: Sequence[Stratum]) -> float:
    """The two-sided p of the mean over the tasks of the difference of means: had the change no effect, the labels of
    the two sides could be exchanged within each task. With a single stratum this is the two-sample permutation test
    (Good 2005, Permutation, Parametric and Bootstrap Tests of Hypotheses).

    All arrangements are looked at where there are at most `EXACT`, else `RESAMPLES` drawn at random; for many sessions
    the normal approximation is used.
    """
    arrays = [(numpy.asarray(a, float), numpy.asarray(b, float)) for a, b in strata]
    seen = float(sum(b.mean() - a.mean() for a, b in arrays))
    if sum(len(a) + len(b) for a, b in arrays) > _LARGE:
        # The variance of the difference of means when the labels are dealt out at random.
        pooled = [(float(numpy.concatenate([a, b]).var(ddof=1)), len(a), len(b)) for a, b in arrays]
        spread = sqrt(sum(variance * (1 / first + 1 / second) for variance, first, second in pooled))
        return float(2 * _stats().norm.sf(abs(seen) / spread)) if spread else 1.0
    everything = numpy.concatenate([part for pair in arrays for part in pair])
    if arrangements([(len(a), len(b)) for a, b in arrays], EXACT + 1) <= EXACT:
        values = numpy.array([sum(dealt) for dealt in product(*(_all_deals(a, b) for a, b in arrays))])
        return float(numpy.mean(_as_far(values, seen, everything)))
    return float((1 + numpy.count_nonzero(_as_far(_random_deals(arrays), seen, everything))) / (1 + RESAMPLES))


def _as_far(values: Numbers, seen: float, sample: Numbers) -> NDArray[numpy.bool_]:
    """Which values are as far from zero as what was seen, but for the rounding of a sum in another order."""
    return numpy.abs(values) >= abs(seen) - 1e-12 * float(numpy.abs(sample).sum())


def _all_deals(a: Numbers, b: Numbers) -> list[float]:
    pooled = numpy.concatenate([a, b])
    total, few = float(pooled.sum()), len(a)
    sums = (float(pooled[list(chosen)].sum()) for chosen in combinations(range(len(pooled)), few))
    return [(total - first) / len(b) - first / few for first in sums]


def _random_deals(arrays: Sequence[tuple[Numbers, Numbers]]) -> Numbers:
    drawing = numpy.random.default_rng(SEED)
    total = numpy.zeros(RESAMPLES)
    for a, b in arrays:
        # Sorted, so that exchanging the sides deals out the same values.
        pooled, few = numpy.sort(numpy.concatenate([a, b])), min(len(a), len(b))
        many, rest = len(pooled), len(pooled) - few
        for start in range(0, RESAMPLES, step := max(1, _AT_ONCE // many)):
            rows = min(step, RESAMPLES - start)
            first = drawing.permuted(numpy.tile(pooled, (rows, 1)), axis=1)[:, :few].sum(axis=1)
            dealt = (pooled.sum() - first) / rest - first / few
            total[start : start + rows] += dealt if len(a) <= len(b) else -dealt
    return total


def bootstrap(strata: Sequence[Stratum], confidence: float) -> Interval:
    """The interval of the mean over the tasks of the difference of means, when the sessions of each side of each task
    are resampled: the bias-corrected and accelerated bootstrap (Efron 1987). For many sessions the normal
    approximation is used."""
    first, second = [list(a) for a, _ in strata], [list(b) for _, b in strata]
    if first > second:
        # The same draws, whichever side comes first.
        low, high = bootstrap([(b, a) for a, b in strata], confidence)
        return -high, -low
    samples = [numpy.asarray(part, float) for pair in strata for part in pair]
    seen = float(_difference(*samples))
    if sum(map(len, samples)) > _LARGE:
        spread = sqrt(sum(float(part.var(ddof=1)) / len(part) for part in samples if len(part) > 1)) / len(strata)
        return _normal(seen, spread, confidence)
    low, high = _bootstrap(samples, _difference, seen, confidence)
    return (-max(-low, high), max(-low, high)) if first == second else (low, high)


def bootstrap_mean(differences: Sequence[float], confidence: float) -> Interval:
    """The interval of the mean of paired differences by the same bootstrap, when pairs are resampled."""
    values = numpy.asarray(differences, float)
    if len(values) > _LARGE:
        return _normal(float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values)), confidence)
    return _bootstrap([values], lambda sample, axis=-1: sample.mean(axis=axis), float(values.mean()), confidence)


def t_interval(differences: Sequence[float], confidence: float) -> Interval:
    """Student's interval of the mean of paired differences; at least two."""
    values = numpy.asarray(differences, float)
    width = float(_stats().t.ppf((1 + confidence) / 2, len(values) - 1) * values.std(ddof=1)) / sqrt(len(values))
    return float(values.mean()) - width, float(values.mean()) + width


def _difference(*samples: Numbers, axis: int = -1) -> Any:
    firsts, seconds = samples[::2], samples[1::2]
    return sum(b.mean(axis=axis) - a.mean(axis=axis) for a, b in zip(firsts, seconds, strict=True)) / len(firsts)


def _normal(middle: float, spread: float, confidence: float) -> Interval:
    width = NormalDist().inv_cdf((1 + confidence) / 2) * spread
    return middle - width, middle + width


def _bootstrap(samples: list[Numbers], statistic: Any, seen: float, confidence: float) -> Interval:
    if any(len(sample) < 2 for sample in samples):
        return -float("inf"), float("inf")
    if all(numpy.ptp(sample) == 0 for sample in samples):
        return seen, seen
    few = min(map(len, samples))
    # Resampling makes samples that vary less than the population does by (n - 1) / n, and knows nothing of Student's
    # t: Hesterberg 2015
    # (The American Statistician 69:371) widens the level by as much as that makes intervals too narrow.
    tail = float(_stats().norm.cdf(-sqrt(few / (few - 1)) * _stats().t.ppf((1 + confidence) / 2, few - 1)))
    options = {"n_resamples": RESAMPLES, "confidence_level": min(1 - 2 * tail, 0.9998), "batch": 500}
    options |= {"vectorized": True, "axis": -1}
    for method in ("BCa", "percentile"):
        with warnings.catch_warnings():
            # Said where the samples hardly vary; the corrected interval isn't a number then.
            warnings.simplefilter("ignore", _stats().DegenerateDataWarning)
            drawing = numpy.random.default_rng(SEED)
            found = _stats().bootstrap(samples, statistic, **options, method=method, rng=drawing).confidence_interval
        low, high = float(found.low), float(found.high)
        if numpy.isfinite(low) and numpy.isfinite(high):
            break
    return low, high


def holm(values: Sequence[float | None]) -> list[float | None]:
    """The p values corrected for having looked at all of them (Holm 1979): each may be compared with the level as if it
    were the only one. What wasn't tested stays None and doesn't count."""
    tested = sorted((value, position) for position, value in enumerate(values) if value is not None)
    corrected: list[float | None] = [None] * len(values)
    highest = 0.0
    for rank, (value, position) in enumerate(tested):
        highest = max(highest, min(1.0, (len(tested) - rank) * value))
        corrected[position] = highest
    return corrected
