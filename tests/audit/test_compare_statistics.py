"""Intervals and tests against published values, and against scipy's own slow ways."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analyzer.audit.compare.statistics import (
    bootstrap,
    bootstrap_mean,
    holm,
    mcnemar,
    newcombe,
    newcombe_paired,
    permutation_test,
    sign_flips,
    two_proportions,
)
from analyzer.audit.figures.counts import wilson
from tests.drawn import examples
from tests.tables import table

NUMBERS = st.lists(st.integers(-20, 20).map(float), min_size=2, max_size=8)
DARWIN = [49.0, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
"""Differences in height of fifteen pairs of plants, crossed minus self-fertilised, in eighths of an inch (Fisher 1935,
section 21)."""


@table("wilson_as_in_newcombe_1998_table_1")
def test_wilson_as_in_newcombe_1998_table_1(yes: int, trials: int, low: float, high: float) -> None:
    assert list(wilson(yes, trials)) == pytest.approx([low, high], abs=5e-5)


@table("difference_of_proportions_as_in_newcombe_1998_table_2")
def test_difference_of_proportions_as_in_newcombe_1998_table_2(
    yes_b: int, b: int, yes_a: int, a: int, low: float, high: float
) -> None:
    assert list(newcombe(yes_a, a, yes_b, b, 0.95)) == pytest.approx([low, high], abs=5e-5)


@pytest.mark.parametrize(
    ("both", "only_b", "only_a", "neither", "low", "high"),
    [(36, 12, 2, 0, 0.0569, 0.3404), (20, 12, 2, 16, 0.0562, 0.3292)],
)
def test_paired_difference_as_in_newcombe_1998(
    both: int, only_b: int, only_a: int, neither: int, low: float, high: float
) -> None:
    assert list(newcombe_paired(both, only_a, only_b, neither, 0.95)) == pytest.approx([low, high], abs=5e-5)


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"), [(0, 0, 1.0), (0, 5, 0.0625), (6, 0, 0.03125), (3, 10, 0.09228515625), (11, 11, 1.0)]
)
def test_mcnemar_is_the_binomial_test_of_the_pairs_that_differ(only_a: int, only_b: int, p: float) -> None:
    assert mcnemar(only_a, only_b) == pytest.approx(p)


def test_barnard_as_in_the_manual_of_scipy_and_fisher_for_many_sessions() -> None:
    name, p = two_proportions(7, 15, 12, 15)
    assert name == "Barnard, exact"
    assert p == pytest.approx(0.0681, abs=5e-4)
    name, p = two_proportions(100, 300, 130, 300)
    assert name == "Fisher, exact"
    assert p == pytest.approx(float(stats.fisher_exact(numpy.array([[100, 130], [200, 170]])).pvalue))
    assert two_proportions(0, 9, 0, 7)[1] == 1.0


def test_sign_flips_of_darwins_plants() -> None:
    assert sign_flips(DARWIN) == 1726 / 32768


def test_two_sample_permutation_is_that_of_scipy() -> None:
    a, b = [1.0, 4, 2, 8, 5], [9.0, 3, 7, 12]
    expected = stats.permutation_test(
        (a, b), lambda x, y, axis: y.mean(axis) - x.mean(axis), vectorized=True, n_resamples=1_000
    )
    assert permutation_test([(a, b)]) == pytest.approx(
        float(numpy.mean(numpy.abs(expected.null_distribution) >= abs(expected.statistic) - 1e-9))
    )


def test_with_one_pair_per_task_both_tests_are_one() -> None:
    differences = DARWIN[:9]
    assert permutation_test([([0.0], [value]) for value in differences]) == pytest.approx(sign_flips(differences))


@pytest.mark.parametrize("many", [30, 200])
def test_drawn_signs_come_close_to_the_normal_distribution(many: int) -> None:
    values = numpy.random.default_rng(7).normal(0.3, 1, many)
    expected = 2 * stats.norm.sf(abs(values.sum()) / numpy.sqrt((values**2).sum()))
    assert sign_flips(values.tolist()) == pytest.approx(expected, abs=0.02)


def test_trials_within_few_tasks_are_compared_within_them() -> None:
    """Tasks that differ widely hide an effect when they're thrown together, not when labels are exchanged within
    each."""
    tasks = [([1.0, 1.1, 1.2, 1.0], [1.6, 1.7, 1.6, 1.8]), ([9.0, 9.1, 9.2, 9.1], [9.6, 9.7, 9.6, 9.8])]
    pooled = [([x for a, _ in tasks for x in a], [x for _, b in tasks for x in b])]
    assert permutation_test(tasks) < 0.001
    assert permutation_test(pooled) > 0.5


@table("holm")
def test_holm(given_: list[float], corrected: list[float]) -> None:
    assert holm(given_) == pytest.approx(corrected)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_lowers_and_keeps_the_order(values: list[float]) -> None:
    made = [new for new in holm(values) if new is not None]
    assert all(value <= new <= 1 for value, new in zip(values, made, strict=True))
    by_value = [new for _, new in sorted(zip(values, made, strict=True))]
    assert all(one <= other for one, other in pairwise(by_value))


@examples(20)
@given(NUMBERS)
def test_the_interval_of_a_mean_holds_it_and_turns_with_the_sign(values: list[float]) -> None:
    low, high = bootstrap_mean(values, 0.9)
    assert low <= numpy.mean(values) <= high
    assert list(bootstrap_mean([-value for value in values], 0.9)) == pytest.approx([-high, -low])


@examples(20)
@given(NUMBERS, NUMBERS)
def test_exchanging_the_sides_turns_the_interval_and_keeps_p(a: list[float], b: list[float]) -> None:
    low, high = bootstrap([(a, b)], 0.9)
    assert list(bootstrap([(b, a)], 0.9)) == pytest.approx([-high, -low])
    assert permutation_test([(b, a)]) == pytest.approx(permutation_test([(a, b)]))


def test_one_session_on_each_side_has_no_interval() -> None:
    assert bootstrap([([3.0], [8.0])], 0.95) == (-inf, inf)


@pytest.mark.slow
def test_intervals_cover_what_they_promise() -> None:
    """At a size where an uncorrected bootstrap covers 86%."""
    drawing = numpy.random.default_rng(3)
    hits = 0
    for _ in range(150):
        low, high = bootstrap_mean(drawing.normal(0, 1, 6).tolist(), 0.95)
        hits += low <= 0 <= high
    assert 0.91 <= hits / 150 <= 1.0


def test_many_sessions_are_as_sure_as_the_normal_distribution_says() -> None:
    values = numpy.random.default_rng(5).normal(0.05, 1, 3_000)
    low, high = bootstrap_mean(values.tolist(), 0.95)
    assert (high - low) / 2 == pytest.approx(1.96 * values.std(ddof=1) / numpy.sqrt(3_000), rel=1e-3)
    assert sign_flips(values.tolist()) == pytest.approx(float(stats.ttest_1samp(values, 0).pvalue), abs=0.01)
    assert permutation_test([(values[:1_500].tolist(), values[1_500:].tolist())]) == pytest.approx(
        float(stats.ttest_ind(values[:1_500], values[1_500:]).pvalue), abs=0.01
    )
