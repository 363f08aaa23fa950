"""One number on both sides -> the difference, its interval, and a test that suits how the sessions are paired."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, exp, isfinite, log
from statistics import NormalDist, fmean, median
from typing import Any

from analyzer.audit.compare import statistics
from analyzer.audit.compare.side import Scale
from analyzer.audit.compare.statistics import Interval, Stratum
from analyzer.model.comparison import Change, Design, Reading
from analyzer.model.struct import Struct, replace

POWER = 0.8
"""The share of samples that would show a difference that's called noticeable."""
_SAME = 1e-12


class Measured(Struct, frozen=True):
    """A difference before the correction for many of them; the fields are those of `analyzer.model.comparison.Change`.

    On the scale `ratio`, `difference`, `low` and `high` are logarithms. `settled` is True where every task has the same
    on both sides, `able` where there are sessions enough for a difference to show at all.
    """

    design: Design
    units: int
    sessions_before: int
    sessions_after: int
    before: float | None = None
    after: float | None = None
    mean_before: float | None = None
    mean_after: float | None = None
    typical_before: float | None = None
    typical_after: float | None = None
    difference: float | None = None
    settled: bool = False
    able: bool = False
    low: float | None = None
    high: float | None = None
    test: str | None = None
    p: float | None = None

    def facts(self, row: type[Change]) -> dict[str, Any]:
        """The fields of a row that are known here."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name in row.__struct_fields__}


def measure(
    strata: Sequence[Stratum], scale: Scale, offset: float, confidence: float, *, paired: bool, quick: bool = False
) -> Measured:
    """The difference of what the sessions of both sides show, task by task; a single stratum where `paired` is False.

    Tasks of which one side says nothing are left out. `quick` takes Student's interval rather than a bootstrap.
    """
    usable = [(a, b) for a, b in strata if a and b]
    counts = sum(len(a) for a, _ in usable), sum(len(b) for _, b in usable)
    if not usable:
        return Measured(
            "pairs" if paired else "sets", 0, sum(len(a) for a, _ in strata), sum(len(b) for _, b in strata)
        )
    sizes = [(len(a), len(b)) for a, b in usable]
    design = design_of(sizes, paired=paired)
    if scale == "share" and design == "pairs":
        # Pairs in which both, only the first, only the second and neither show it.
        seen = [(bool(a[0]), bool(b[0])) for a, b in usable]
        both, only_a = seen.count((True, True)), seen.count((True, False))
        only_b, neither = seen.count((False, True)), seen.count((False, False))
        return measure_pairs(both, only_a, only_b, neither, confidence)
    if scale == "share" and len(usable) == 1:
        return measure_sets(*_proportions(usable), confidence, design=design, units=1)
    scaled = usable
    if scale == "ratio":
        scaled = [([log(x + offset) for x in a], [log(x + offset) for x in b]) for a, b in usable]
    means = [(fmean(a), fmean(b)) for a, b in scaled]
    difference = fmean(b - a for a, b in means)
    before, after = _middle(usable, means, scale, offset, design)
    typical = _back(fmean(a for a, _ in means), scale, offset), _back(fmean(b for _, b in means), scale, offset)
    constant = len({value for pair in usable for values in pair for value in values}) == 1
    settled = constant or (paired and all(abs(b - a) < _SAME for a, b in means))
    able = _can_show(sizes, design, 1 - confidence)
    shown = (before, after, fmean(fmean(a) for a, _ in usable), fmean(fmean(b) for _, b in usable), *typical)
    units = len(usable) if paired else min(counts)
    facts = Measured(design, units, *counts, *shown, 0.0 if settled else difference, settled, able)
    interval = _interval(scaled, means, scale, design, confidence, quick=quick)
    return _tested(facts, interval, None if constant else lambda: _test(scaled, means, design))


def measure_pairs(
    both: int, only_a: int, only_b: int, neither: int, confidence: float, *, tested: bool = True
) -> Measured:
    """The difference between two shares of the same pairs, so many counted on both sides, on one and on neither."""
    pairs = both + only_a + only_b + neither
    facts = _shares("pairs", pairs, both + only_a, pairs, both + only_b, pairs)
    facts = replace(facts, settled=only_a == only_b == 0, able=tested and _enough(pairs, 1 - confidence))
    if not tested:
        return facts
    interval = statistics.newcombe_paired(both, only_a, only_b, neither, confidence)
    alike = pairs in (both, neither)
    return _tested(facts, interval, None if alike else lambda: ("McNemar, exact", statistics.mcnemar(only_a, only_b)))


def measure_sets(
    yes_a: int,
    a: int,
    yes_b: int,
    b: int,
    confidence: float,
    *,
    design: Design = "sets",
    units: int = 1,
    tested: bool = True,
) -> Measured:
    """The difference between two sets' shares, `yes_a` of `a` and `yes_b` of `b`; `units` counts paired tasks."""
    constant = yes_a + yes_b in (0, a + b)
    facts = _shares(design, min(a, b) if design == "sets" else units, yes_a, a, yes_b, b)
    facts = replace(facts, settled=constant, able=tested and _can_show([(a, b)], design, 1 - confidence))
    if not tested:
        return facts
    interval = statistics.newcombe(yes_a, a, yes_b, b, confidence)
    return _tested(facts, interval, None if constant else lambda: statistics.two_proportions(yes_a, a, yes_b, b))


def _shares(design: Design, units: int, yes_a: int, a: int, yes_b: int, b: int) -> Measured:
    before, after = yes_a / a, yes_b / b
    return Measured(design, units, a, b, *(before, after) * 3, difference=after - before)


def design_of(sizes: Sequence[tuple[int, int]], *, paired: bool) -> Design:
    """What is compared with what, given how many sessions each task has on either side."""
    if not paired:
        return "sets"
    if all(size == (1, 1) for size in sizes):
        return "pairs"
    return "tasks" if _enough(len(sizes), 0.05) else "trials"


def reading(
    found: Measured, corrected: float | None, confidence: float, *, more_is_better: bool, effort: bool = False
) -> Reading:
    """What the numbers say. A change is one only where the corrected test and the interval both say so."""
    if found.difference is None:
        return "not recorded"
    if not found.able:
        return "too few"
    if found.settled:
        return "equal"
    apart = found.low is not None and found.high is not None and not found.low <= 0 <= found.high
    if corrected is None or corrected > 1 - confidence or not apart:
        return "no difference shown"
    if effort:
        return "more" if found.difference > 0 else "less"
    return "better" if (found.difference > 0) == more_is_better else "worse"


def sensitivity(
    found: Measured, rows: int, reference: float | None, confidence: float
) -> tuple[float | None, int | None]:
    """The smallest difference that would be noticed with the power `POWER` among so many rows, and about how many units
    it takes to notice the reference; both on the scale of the difference. From the width of the interval, as if it were
    that of a normal distribution."""
    if found.low is None or found.high is None or found.high - found.low < 1e-9:
        return None, None
    spread = (found.high - found.low) / 2 / NormalDist().inv_cdf((1 + confidence) / 2)
    noticeable = spread * (NormalDist().inv_cdf(1 - (1 - confidence) / 2 / max(1, rows)) + NormalDist().inv_cdf(POWER))
    if not reference or found.design == "trials":
        return noticeable, None
    # Of two sets as uneven as these, so many on each side would say as much.
    a, b = found.sessions_before, found.sessions_after
    units = 2 * a * b / (a + b) if found.design == "sets" else found.units
    return noticeable, ceil(units * (noticeable / reference) ** 2)


def _tested(facts: Measured, interval: Interval | None, test: Callable[[], tuple[str, float]] | None) -> Measured:
    """The facts with the interval, if it's finite, and a test where one can show something. Where all sessions are
    alike there's nothing to test, and nothing to correct other rows for."""
    low, high = interval if interval is not None and all(map(isfinite, interval)) else (None, None)
    name, p = test() if test is not None and facts.able else (None, None)
    return replace(facts, low=low, high=high, test=name, p=p)


def _enough(pairs: int, level: float) -> bool:
    """Whether so many pairs can be significant at all: when all of them go the same way, p is 2 / 2^n."""
    return 2.0 ** (1 - min(pairs, 1_000)) <= level


def _can_show(sizes: Sequence[tuple[int, int]], design: Design, level: float) -> bool:
    if design in ("pairs", "tasks"):
        return _enough(len(sizes), level)
    return statistics.arrangements(sizes, ceil(2 / level)) * level >= 2


def _back(mean: float, scale: Scale, offset: float) -> float:
    """A mean of what was compared as a value: of logarithms the geometric mean."""
    return max(0.0, exp(mean) - offset) if scale == "ratio" else mean


def _middle(
    usable: Sequence[Stratum], means: Sequence[tuple[float, float]], scale: Scale, offset: float, design: Design
) -> tuple[float, float]:
    if scale != "ratio":
        return fmean(a for a, _ in means), fmean(b for _, b in means)
    if design == "sets":
        return median(usable[0][0]), median(usable[0][1])
    return median(exp(a) - offset for a, _ in means), median(exp(b) - offset for _, b in means)


def _interval(
    strata: Sequence[Stratum],
    means: Sequence[tuple[float, float]],
    scale: Scale,
    design: Design,
    confidence: float,
    *,
    quick: bool,
) -> Interval | None:
    if design in ("pairs", "tasks"):
        if len(means) < 2:
            return None
        found = (statistics.t_interval if quick else statistics.bootstrap_mean)([b - a for a, b in means], confidence)
    else:
        found = statistics.bootstrap(strata, confidence)
    if scale == "share" and found[0] == found[1]:
        # What the bootstrap calls certain where all sessions are alike isn't.
        return statistics.newcombe(*_proportions(strata), confidence)
    return found


def _test(strata: Sequence[Stratum], means: Sequence[tuple[float, float]], design: Design) -> tuple[str, float]:
    if design in ("pairs", "tasks"):
        return "sign flips", statistics.sign_flips([b - a for a, b in means])
    return "permutation within tasks" if design == "trials" else "permutation", statistics.permutation_test(strata)


def _proportions(strata: Sequence[Stratum]) -> tuple[int, int, int, int]:
    firsts, seconds = [x for a, _ in strata for x in a], [x for _, b in strata for x in b]
    return round(sum(firsts)), len(firsts), round(sum(seconds)), len(seconds)
