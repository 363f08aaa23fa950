"""Tests that failed on the delivered state although others, or the same later, passed on it."""

from __future__ import annotations

import pytest

from analyzer.model.postmortem import Outcome
from analyzer.model.words import OutcomeStatus
from analyzer.timeline.calls.judging import bare_command, openness
from tests.build import Part, diagnosed, edit, run, says, timeline, user

GREEN = "==== 3 passed in 0.1s ===="
GREEN_ALL = "==== 30 passed in 2.1s ===="
RED = (
    "FAILED tests/test_lamp.py::test_wick - AssertionError: 3 != 4\nE   AssertionError: 3 != 4\n"
    "==== 1 failed, 29 passed in 2.1s ===="
)
RED_BEFORE = RED.replace("wick", "oil")
CHANGE = edit("lamp.py", "wick = 1", "wick = 2")


def outcome(*parts: Part) -> Outcome:
    return diagnosed(user("Fix the wick in lamp.py."), *parts, says("The wick is fixed.")).outcome


def test_a_whole_run_that_fails_after_a_part_passed_is_no_success() -> None:
    made = outcome(CHANGE, run("pytest tests", RED, 1), run("pytest tests/test_wick.py", GREEN))
    assert made.status is OutcomeStatus.UNKNOWN
    assert made.reason.startswith(
        "Tests passed on what was delivered (step 3: `pytest tests/test_wick.py`); tests failed on the same state"
    )
    assert set(made.evidence_steps) == {2, 3}


@pytest.mark.parametrize(
    "again", [run("pytest tests", GREEN_ALL), run("cd . && pytest tests 2>&1 | tail -5", GREEN_ALL)]
)
def test_a_run_that_fails_and_passes_without_an_edit_is_a_success(again: Part) -> None:
    made = outcome(CHANGE, run("pytest tests", RED, 1), again)
    assert made.status is OutcomeStatus.SUCCEEDED


@pytest.mark.parametrize(
    "parts",
    [
        [run("pytest tests", RED, 1), CHANGE, run("pytest tests", GREEN_ALL)],
        [CHANGE, run("pytest tests", RED, 1), edit("lamp.py", "2", "3"), run("pytest tests", GREEN_ALL)],
        [CHANGE, run("pytest tsts", "ERROR: file or directory not found: tsts", 4), run("pytest tests", GREEN_ALL)],
        [CHANGE, run("pytest tests", GREEN_ALL)],
        [
            run("pytest tests", RED_BEFORE, 1),
            CHANGE,
            run("pytest tests", RED_BEFORE, 1),
            run("pytest tests/a.py", GREEN),
        ],
    ],
    ids=["before-the-change", "edited-in-between", "did-not-run", "green", "failed-on-the-original-code"],
)
def test_what_failed_on_another_state_or_was_there_before_is_not(parts: list[Part]) -> None:
    made = outcome(*parts)
    assert made.status is OutcomeStatus.SUCCEEDED
    assert "same state" not in made.reason


@pytest.mark.parametrize(
    ("command", "open_to"),
    [("pytest", 2), ("pytest || true", 2), ("pytest 2>&1 | tail -3", 1), ("pytest | grep -E '^ok' | head", 0)],
)
def test_how_much_of_a_check_can_be_seen(command: str, open_to: int) -> None:
    assert openness(timeline(run(command, GREEN)).actions[0]) == open_to


def test_the_check_whose_exit_status_can_be_seen_is_the_evidence() -> None:
    made = outcome(CHANGE, run("pytest tests", GREEN_ALL), run("pytest tests | grep passed", GREEN_ALL))
    assert made.evidence_steps == [2]


@pytest.mark.parametrize(
    "command", ["make test", "cd /p && make test 2>&1", "make  test | tail -3", "make test |& cat"]
)
def test_a_command_without_what_changes_its_view(command: str) -> None:
    assert bare_command(timeline(run(command, GREEN)).actions[0]) == "make test"
