"""Two sets of sessions compared: what is said, and above all what isn't."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.audit.compare import Side, compare
from analyzer.model.comparison import Comparison, MetricChange
from tests.audit.compared import TASKS, pairs, run, side
from tests.drawn import examples


def metric(found: Comparison, name: str) -> MetricChange:
    return next(row for row in found.metrics if row.metric == name)


def mixed(name: str, seed: int, many: int, better: float = 0.0) -> Side:
    """Sessions of all sorts, drawn anew for every seed."""
    draw = random.Random(seed)
    return side(
        name,
        [
            run(
                f"task-{number}",
                draw.choices(["succeeded", "failed", "stuck", "unknown"], [4 + better, 3, 2, 1])[0],
                actions=draw.randint(0, 40),
                loop_actions=draw.randint(0, 10),
                cost_usd=draw.choice([None, draw.uniform(0.01, 2)]),
                duration_seconds=draw.lognormvariate(4, 1),
                kinds=draw.sample(["loops/cycle", "gave-up/said-so", "cascade/cancelled-calls"], draw.randint(0, 2)),
                failed=draw.sample(["ValueError: bad", "KeyError: 'x'", "exit 1"], draw.randint(0, 2)),
            )
            for number in range(many)
        ],
    )


@pytest.mark.slow
@examples(15)
@given(st.integers(0, 10_000), st.integers(1, 12), st.sampled_from(["auto", "none"]))
def test_a_set_compared_with_itself_shows_no_difference(seed: int, many: int, pair_by: str) -> None:
    found = compare(mixed("A", seed, many), mixed("B", seed, many), pair_by=pair_by)  # type: ignore[arg-type]
    assert (found.flips, found.regressions) == ([], [])
    for row in (*found.metrics, *found.findings, *found.failure_groups):
        assert row.reading in ("no difference shown", "equal", "too few", "not recorded")
        assert row.p is None or row.p == 1.0
        neutral = 1.0 if isinstance(row, MetricChange) and row.scale == "ratio" else 0.0
        assert row.difference is None or row.difference == pytest.approx(neutral)
    assert {row.change for row in found.findings} <= {"same"}


@pytest.mark.slow
@examples(15)
@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 12), st.sampled_from(["auto", "none"]))
def test_exchanging_the_sets_turns_every_sign(seed: int, many: int, more: int, pair_by: str) -> None:
    one, other = mixed("one", seed, many), mixed("other", seed + 1, more)
    there, back = compare(one, other, pair_by=pair_by), compare(other, one, pair_by=pair_by)  # type: ignore[arg-type]
    assert (there.lost, there.won) == (back.won, back.lost)
    turned = {"better": "worse", "worse": "better", "more": "less", "less": "more"}
    for row, mirror in zip(there.metrics, back.metrics, strict=True):
        for value, same in ((row.before, mirror.after), (row.after, mirror.before), (row.p, mirror.p)):
            assert value == pytest.approx(same)
        assert mirror.reading == turned.get(row.reading, row.reading)
        for value, against in ((row.difference, mirror.difference), (row.low, mirror.high), (row.high, mirror.low)):
            if value is not None and against is not None:
                assert value == pytest.approx(1 / against if row.scale == "ratio" else -against)
            else:
                assert value is against is None
    exchanged = {"new": "gone", "gone": "new", "more": "fewer", "fewer": "more", "same": "same"}
    mirrored = {row.name: row.change for row in back.findings}
    assert {row.name: exchanged[row.change] for row in there.findings} == mirrored


def test_equal_recordings_are_called_that() -> None:
    one = mixed("A", 1, 8)
    assert compare(one, one).verdict == ["A and B hold the very same recordings, so there is nothing to tell apart."]


def test_a_clear_gain_is_called_one() -> None:
    found = compare(*pairs("-" * 20 + "+" * 20, "+" * 18 + "-" * 2 + "+" * 20))
    success = metric(found, "success_rate")
    assert (success.design, success.units, success.test) == ("pairs", 40, "McNemar, exact")
    assert (success.before, success.after, success.reading) == (0.5, 0.95, "better")
    assert success.low is not None
    assert success.low > 0.2
    assert found.verdict[0].startswith("B succeeds more often: A 50%, B 95% (40 tasks), +45 points, 95% interval +")
    assert (found.lost, found.won, found.regressions) == (0, 18, [])


def test_a_clear_loss_is_a_regression() -> None:
    found = compare(*pairs("+" * 30, "-" * 12 + "+" * 18))
    assert found.regressions == ["Success rate: 100% -> 60%, p below 0.001"]
    assert (found.lost, found.won) == (12, 0)


def test_a_handful_of_sessions_says_nothing_and_the_page_says_so() -> None:
    found = compare(*pairs("+++--", "-----"))
    assert metric(found, "success_rate").reading == "too few"
    assert found.verdict[0].startswith("Too few sessions to say whether B succeeds more often: A 60%, B 0% (5 tasks).")
    assert found.regressions == []


def test_what_could_be_chance_is_not_called_a_change() -> None:
    """Eight of ten flips go the same way: p is 0.11, though the rate falls by six points."""
    found = compare(*pairs("+" * 8 + "--" + "+" * 90, "-" * 8 + "++" + "+" * 90))
    success = metric(found, "success_rate")
    assert success.p == pytest.approx(0.109375)
    assert success.reading == "no difference shown"
    assert found.verdict[0].startswith("No difference in success was shown: A 98%, B 92% (100 tasks), -6 points")
    assert found.regressions == []


def test_the_needed_number_of_tasks_falls_with_the_square_of_the_difference() -> None:
    small, large = (metric(compare(*pairs("+-" * many, "-+" * many)), "success_rate") for many in (20, 80))
    assert small.noticeable is not None
    assert large.noticeable is not None
    assert small.noticeable / large.noticeable == pytest.approx(2, rel=0.05)
    assert small.needed == pytest.approx(large.needed, rel=0.1)


def test_all_metrics_but_the_first_are_corrected_for_their_number() -> None:
    before = side(
        "A",
        [
            run(f"t{n}", "failed" if n < 6 else "succeeded", actions=9 + n % 3, kinds=["loops/cycle"] * (n < 6))
            for n in range(26)
        ],
    )
    after = side("B", [run(f"t{n}", "succeeded", actions=9 + (n + 1) % 3) for n in range(26)])
    found = compare(before, after)
    figures = {
        row.metric: (row.p, row.p_corrected, row.reading) for row in found.metrics if row.p is not None and row.p < 0.5
    }
    assert figures == {
        "success_rate": (0.03125, 0.03125, "better"),
        "loop_rate": (0.03125, 0.09375, "too few"),
        "high_finding_rate": (0.03125, 0.09375, "too few"),
    }


def test_effort_that_buys_success_is_no_regression() -> None:
    before = side("A", [run(f"t{n}", "failed" if n < 15 else "succeeded", cost_usd=0.1 + n / 1000) for n in range(30)])
    dearer = side("B", [run(f"t{n}", "succeeded", cost_usd=0.3 + n / 1000) for n in range(30)])
    found = compare(before, dearer)
    assert (metric(found, "cost_usd").reading, metric(found, "success_rate").reading) == ("more", "better")
    assert found.regressions == []
    no_better = side(
        "B", [run(entry.session, entry.outcome, cost_usd=0.3 + n / 1000) for n, entry in enumerate(before.runs)]
    )
    assert [line.partition(":")[0] for line in compare(before, no_better).regressions] == [
        "Cost (recorded, else list prices)"
    ]


def test_ratios_are_those_of_typical_sessions() -> None:
    """One session that costs a hundred times as much doesn't make all dear."""
    before = side("A", [run(f"t{n}", cost_usd=1.0) for n in range(20)])
    after = side("B", [run(f"t{n}", cost_usd=100.0 if n == 0 else 0.5) for n in range(20)])
    cost = metric(compare(before, after), "cost_usd")
    assert (cost.before, cost.after) == (1.0, 0.5)
    assert cost.difference == pytest.approx(0.5**0.95 * 100**0.05)
    assert cost.mean_after == pytest.approx(5.475)
    assert cost.reading == "less" or cost.high is None or cost.high >= 1


def test_unknown_outcomes_and_missing_numbers_are_left_out_and_said() -> None:
    found = compare(*pairs("+-????????" * 2, "+-++++++++" * 2))
    success = metric(found, "success_rate")
    assert (success.units, success.before, success.after) == (4, 0.5, 0.5)
    assert metric(found, "cost_usd").reading == "not recorded"
    assert any("unknown for 80% of A and 0% of B" in line for line in found.cautions)


def test_trials_count_as_the_mean_of_their_task() -> None:
    def trials(name: str, won: int) -> Side:
        return side(
            name,
            [
                run(f"{task}/trial-{n}", "succeeded" if n < won else "failed", task=TASKS[task])
                for task in range(12)
                for n in range(3)
            ],
        )

    found = compare(trials("A", 1), trials("B", 2))
    success = metric(found, "success_rate")
    assert (success.design, success.units, success.sessions_before) == ("tasks", 12, 36)
    assert success.difference == pytest.approx(1 / 3)
    assert success.reading == "better"
    assert found.flips == []
    flipped = compare(trials("A", 3), trials("B", 1)).flips
    assert [(flip.direction, flip.before, flip.after) for flip in flipped] == [
        ("lost", "3 of 3 succeeded", "1 of 3 succeeded")
    ] * 12


def test_one_task_run_often_is_compared_session_by_session() -> None:
    def trials(name: str, won: int) -> Side:
        return side(
            name, [run(f"only/trial-{n}", "succeeded" if n < won else "failed", task=TASKS[0]) for n in range(20)]
        )

    success = metric(compare(trials("A", 2), trials("B", 18)), "success_rate")
    assert (success.design, success.test, success.reading) == ("trials", "Barnard, exact", "better")


def test_sets_without_common_tasks_are_compared_and_the_reader_is_warned() -> None:
    before = side("A", [run(f"a{n}", "failed", task=task) for n, task in enumerate(TASKS[:6])])
    after = side("B", [run(f"b{n}", "succeeded", task=task) for n, task in enumerate(TASKS[6:])])
    found = compare(before, after)
    assert (found.pairing.used, metric(found, "success_rate").design) == (False, "sets")
    assert found.verdict[1] == (
        "No task was found on both sides, so the sessions are compared as two sets: a difference may come from "
        "other tasks rather than from the agent."
    )


def test_pairs_of_a_small_part_are_not_taken_for_the_whole() -> None:
    common = [run(f"c{n}", "succeeded", task=TASKS[n]) for n in range(2)]
    before = side(
        "A", [*common, *(run(f"a{n}", "failed", task=f"Old errand of kind {n} for house {n * 7}") for n in range(20))]
    )
    after = side(
        "B", [*common, *(run(f"b{n}", "failed", task=f"New journey to city {n} by way of {n * 3}") for n in range(20))]
    )
    found = compare(before, after)
    assert (found.pairing.tasks, found.pairing.used) == (2, False)
    assert found.verdict[1].startswith("Only 2 tasks could be paired, so all sessions are compared")
    assert compare(before, after, pair_by="task").pairing.used is True


def test_a_new_finding_of_high_severity_in_many_sessions_is_a_regression() -> None:
    found = compare(*pairs("-" * 20, "-" * 20, B={"kinds": ["gave-up/said-so"]}))
    (row,) = found.findings
    assert (row.change, row.count_before, row.count_after, row.severity, row.reading) == ("new", 0, 20, "high", "worse")
    assert (row.example.session, row.example.step) == ("task-0", 3)
    assert found.regressions[-1] == "Finding `gave-up/said-so` is new: 0 of 20 -> 20 of 20 sessions, p below 0.001"


def test_a_new_finding_in_two_sessions_is_listed_and_no_regression() -> None:
    before, after = pairs("+" * 20, "+" * 20)
    found = compare(
        before,
        side("B", [*after.runs[:18], run("task-18", kinds=["loops/cycle"]), run("task-19", kinds=["loops/cycle"])]),
    )
    assert [(row.name, row.change, row.p) for row in found.findings] == [("loops/cycle", "new", None)]
    assert found.regressions == []


def test_what_an_unpaired_session_shows_is_not_new() -> None:
    before, after = pairs("+" * 6, "+" * 6, B={"failed": ["ValueError: bad"]})
    before = side(
        "A", [*before.runs, run("another", "failed", failed=["ValueError: bad"], task="Something else entirely")]
    )
    (row,) = compare(before, after).failure_groups
    assert (row.count_before, row.count_after, row.change) == (0, 6, "more")


def test_a_failure_that_many_sessions_hit_is_found_by_its_fingerprint() -> None:
    found = compare(*pairs("+" * 12, "+" * 12, A={"failed": ["ValueError: bad", "exit 1"]}, B={"failed": ["exit 1"]}))
    rows = {row.title: (row.change, row.count_before, row.count_after, row.reading) for row in found.failure_groups}
    assert rows == {"ValueError: bad": ("gone", 12, 0, "better"), "exit 1": ("same", 12, 12, "equal")}


def test_outcomes_cross() -> None:
    found = compare(*pairs("++-?", "+-+?"))
    figures = {(pair.before, pair.after): pair.count for pair in found.outcomes}
    assert figures == {
        ("succeeded", "succeeded"): 1,
        ("succeeded", "failed"): 1,
        ("failed", "succeeded"): 1,
        ("unknown", "unknown"): 1,
    }


def test_a_flip_tells_what_is_new_in_the_session_that_failed() -> None:
    before = side("A", [run("x", kinds=["loops/cycle"]), run("y")])
    after = side("B", [run("x", "stuck", kinds=["loops/cycle", "gave-up/said-so"]), run("y")])
    (flip,) = compare(before, after).flips
    assert (flip.task, flip.direction, flip.before, flip.after) == ("x", "lost", "succeeded", "stuck")
    assert (flip.headline, flip.new) == ("The story of x.", ["gave-up/said-so"])


def test_differing_versions_and_formats_are_cautioned_about() -> None:
    one = side("A", [run("x")])
    other = Side("B", (run("x", "failed", format="chat"),), {}, problems=2, versions=frozenset(("v2",)))
    cautions = "\n".join(compare(one, other).cautions)
    assert "not judged by the same version" in cautions
    assert "A was recorded as actions, B as chat." in cautions
    assert "Not read and not counted: 2 files of B." in cautions


def test_a_change_survives_a_serious_correction_at_a_higher_confidence() -> None:
    sides = pairs("-" * 20 + "+" * 20, "+" * 18 + "-" * 2 + "+" * 20)
    wide, narrow = (metric(compare(*sides, confidence=level), "success_rate") for level in (0.99, 0.9))
    assert None not in (wide.low, narrow.low)
    assert (wide.low or 0) < (narrow.low or 0)
    assert wide.reading == narrow.reading == "better"


def test_a_side_without_sessions_is_refused() -> None:
    with pytest.raises(ValueError, match="without sessions"):
        compare(side("A", []), mixed("B", 1, 3))


def test_uneven_sets_need_as_many_as_their_smaller_side_makes_of_them() -> None:
    """Two hundred sessions against ten know little more than twenty against ten."""
    even, uneven = (
        metric(
            compare(
                side("A", [run(f"a{n}", "succeeded" if n % 2 else "failed") for n in range(many)]),
                mixed("B", 4, 10),
                pair_by="none",
            ),
            "success_rate",
        )
        for many in (10, 200)
    )
    assert even.needed is not None
    assert uneven.needed is not None
    assert even.needed / 2 < uneven.needed < even.needed * 2
