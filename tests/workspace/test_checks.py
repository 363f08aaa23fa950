"""Which check ran on which state."""

from __future__ import annotations

from analyzer.workspace.checks import baseline_failures
from tests.build import edit, pytest_report, run, write
from tests.workspace.states import checks_of_the_last_state, history

FAILS = run("pytest -q", pytest_report(), 1)
PASSES = run("pytest -q", "3 passed in 0.10s")
FIX = edit("shapes.py", "sides > 4", "sides >= 4")
REPRO = write("repro.py", "import shapes\n")


def test_the_delivered_state_was_checked() -> None:
    assert checks_of_the_last_state(history(FAILS, FIX, PASSES)) == [3]


def test_the_delivered_state_was_never_checked() -> None:
    made = history(FAILS, FIX, PASSES, edit("shapes.py", "import os", "import sys"))
    assert checks_of_the_last_state(made) == []


def test_scratch_files_are_no_part_of_what_is_delivered() -> None:
    made = history(REPRO, run("python repro.py", "4"), FIX, PASSES, run("rm repro.py"))
    assert made.steps[3].before != made.steps[-1].after
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
