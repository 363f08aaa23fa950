"""Which check ran on which state."""

from __future__ import annotations

from analyzer.workspace.checks import ExperimentKind, baseline_failures, checks, experiments
from tests.build import Part, edit, pytest_report, run, write
from tests.workspace.states import checks_of_the_last_state, history

FAILS = run("pytest -q", pytest_report(), 1)
PASSES = run("pytest -q", "3 passed in 0.10s")
FIX, BACK = edit("shapes.py", "sides > 4", "sides >= 4"), edit("shapes.py", "sides >= 4", "sides > 4")
REPRO = write("repro.py", "import shapes\n")


def test_each_check_has_the_state_on_which_it_ran() -> None:
    found = checks(history(FAILS, FIX, PASSES, run("ls"), PASSES))
    assert [(check.step, check.state, check.passed, check.untouched) for check in found] == [
        (1, "S0", False, True),
        (3, "S1", True, False),
        (5, "S1", True, False),
    ]


def test_the_delivered_state_was_checked() -> None:
    assert checks_of_the_last_state(history(FAILS, FIX, PASSES)) == [3]


def test_the_delivered_state_was_never_checked() -> None:
    made = history(FAILS, FIX, PASSES, edit("shapes.py", "import os", "import sys"))
    assert checks_of_the_last_state(made) == []


def test_scratch_files_are_no_part_of_what_is_delivered() -> None:
    made = history(REPRO, run("python repro.py", "4"), FIX, PASSES, run("rm repro.py"))
    assert made.steps[3].before != made.final
    assert checks_of_the_last_state(made) == [4]


def test_an_experiment_that_was_taken_back_leaves_the_checked_state() -> None:
    tried = edit("shapes.py", "area = 1", "area = 2")
    made = history(FIX, PASSES, tried, FAILS, edit("shapes.py", "area = 2", "area = 1"))
    assert checks_of_the_last_state(made) == [2]


def test_a_failure_on_untouched_code_is_a_baseline_failure() -> None:
    assert [(entry.step, entry.sure) for entry in baseline_failures(history(REPRO, FAILS, FIX, FAILS))] == [(2, True)]


def test_a_failure_that_a_change_brought_is_none() -> None:
    assert baseline_failures(history(PASSES, FIX, FAILS)) == []


def test_a_baseline_after_something_unknown_is_not_sure() -> None:
    assert [entry.sure for entry in baseline_failures(history(run("npm install"), FAILS))] == [False]


def _named(*parts: Part) -> list[tuple[str, int, int, int | None, int]]:
    return [
        (one.kind, one.before.step, one.during.step, one.after.step if one.after else None, one.restored_at + 1)
        for one in experiments(history(*parts))
    ]


def test_run_change_run_restore_run_is_an_experiment() -> None:
    assert _named(FAILS, FIX, PASSES, BACK, FAILS) == [(ExperimentKind.EXPERIMENT, 1, 3, 5, 4)]


def test_work_that_is_taken_out_and_put_back_is_a_control() -> None:
    parts = (FIX, PASSES, run("git stash"), FAILS, run("git stash pop"), PASSES)
    assert _named(*parts) == [(ExperimentKind.CONTROL, 2, 4, 6, 5)]
    assert _named(*parts[:-1]) == [(ExperimentKind.CONTROL, 2, 4, None, 5)]


def test_an_ordinary_repair_is_no_experiment() -> None:
    assert _named(FAILS, FIX, FAILS, edit("shapes.py", "one", "two"), PASSES) == []


def test_another_check_is_no_control() -> None:
    assert (
        _named(FIX, PASSES, run("git stash"), run("pytest -q tests/other.py", "1 passed"), run("git stash pop")) == []
    )
