"""What is said of a run that leaves a step of its plan out, whatever else went wrong on the way."""

from __future__ import annotations

import pytest

from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.scenario import scenario_from_text
from analyzer.case_study.study import case_study
from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.model.case_study import Failing
from analyzer.model.words import Ending
from tests.build import Part, call, run, says, timeline

PLAN = """
title: Two moorings
prompt: Cancel the moorings 4 and 7.
plan:
  - tool: look_up
    arguments: {berth: 4}
  - tool: cancel
    arguments: {berth: 4}
  - tool: cancel
    arguments: {berth: 7}
success: {recorded: solved}
"""


def failing(*parts: Part) -> Failing:
    made = timeline(*parts, ending=Ending.UNSOLVED)
    loaded = LoadedRun("run 1", "run1.json", made, post_mortem(made, detect(made)))
    (only,) = case_study(scenario_from_text(PLAN), [loaded]).cascade
    return only


def look_up(berth: int, result: str = "Free until noon, paid, kept by the harbour master.") -> Part:
    return call("look_up", {"berth": berth}, result)


def cancel(berth: int, result: str = "Cancelled.") -> Part:
    return call("cancel", {"berth": berth}, result)


UNKNOWN = "Error: Berth 9 not found"


def test_an_error_that_the_run_got_over_does_not_explain_a_step_that_it_left_out() -> None:
    found = failing(*(look_up(9, UNKNOWN) for _ in range(5)), look_up(4), cancel(4), says("I can't cancel mooring 7."))
    assert (found.title, found.at) == ("Step 3 left out", "step_3")


def test_an_error_that_the_run_never_got_over_does() -> None:
    found = failing(*(look_up(4, UNKNOWN) for _ in range(5)), says("There's no berth 4."))
    assert found.detector is not None
    assert "Berth 9 not found" in found.title


def test_another_command_of_a_shell_says_nothing_of_one_that_failed() -> None:
    found = failing(
        look_up(4),
        *(run("moor --free 4", "moor: error: no such berth: 4", 1) for _ in range(4)),
        run("ls", "quay.txt"),
        says("It doesn't work."),
    )
    assert "moor" in found.title


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (
            [look_up(4), cancel(4)],
            (
                "Step 3 (`cancel`) was never called as planned here; `cancel` was called for other steps only "
                "(action 2)."
            ),
        ),
        ([look_up(4)], "Step 2 (`cancel`) was never called."),
    ],
    ids=["the tool was called for another step", "the tool was never called"],
)
def test_a_step_that_is_left_out_is_distinguished_from_one_whose_tool_was_called(parts: list[Part], words: str) -> None:
    assert words in failing(*parts, says("That's all.")).root_cause
