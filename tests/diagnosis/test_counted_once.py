"""Figures that a reader would add up: what improvements would have saved, and how many actions were checks."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.improvements import Counted
from analyzer.report.picture.model import ROWS, model_of
from tests.build import Part, diagnosed, edit, run

COUNTED = [
    pytest.param(
        [(5, 6, 7, 8, 9), (7, 8, 9)], " All of them are already counted in improvement 1.", id="all-of-several"
    ),
    pytest.param([(5, 6, 7), (7, 8, 9)], " 1 of them is already counted in improvement 1.", id="one-of-several"),
    pytest.param([(5, 6, 7), (6, 7, 8)], " 2 of them are already counted in improvement 1.", id="two-of-several"),
    pytest.param([(5, 6), (6,)], " It is already counted in improvement 1.", id="the-only-one"),
    pytest.param([(5, 6), (7,), (6, 7)], " All of them are already counted in improvements 1 and 2.", id="in-two"),
    pytest.param([(5, 6), (7, 8)], "", id="others"),
    pytest.param([(5, 6), ()], "", id="none"),
]


@pytest.mark.parametrize(("saved", "said"), COUNTED)
def test_steps_that_an_earlier_improvement_would_have_saved_too(saved: list[tuple[int, ...]], said: str) -> None:
    counted = Counted()
    assert [counted.again(number, "main", steps) for number, steps in enumerate(saved, 1)][-1] == said


def test_equal_steps_of_another_lane_are_others() -> None:
    counted = Counted()
    counted.again(1, "main", (5, 6))
    assert counted.again(2, "helper", (5, 6)) == ""


CHECKS = [
    pytest.param(run("ruff check .", "All checks passed!"), "1 check", "check", id="a-linter"),
    pytest.param(run("npx tsc --noEmit", ""), "1 check", "check", id="a-type-checker"),
    pytest.param(run("pytest -q", "3 passed in 0.1s"), "1 check", "check", id="a-test-run"),
    pytest.param(run("npm run lint", "> lint\n"), "1 check", "check", id="a-task-that-lints"),
    pytest.param(run("python tide.py", "low"), "1 run", "run", id="a-script"),
    pytest.param(run("make", "cc -o tide tide.c"), "1 run", "run", id="a-build"),
    pytest.param(run("git commit -m tide", "[main 1] tide"), "1 run", "run", id="version-control"),
]


@pytest.mark.parametrize(("part", "counted", "row"), CHECKS)
def test_a_check_is_one_wherever_it_is_counted(part: Part, counted: str, row: str) -> None:
    made = diagnosed(edit("tide.py", "low", "high"), part)
    said = next(statement.text for statement in made.diagnosis.lead if statement.part == "cost")
    assert counted in said
    assert ROWS[model_of(made).cells[-1].row] == row
