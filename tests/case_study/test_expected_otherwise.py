"""Trials whose log records what the task expects: each failed one gets its cause, and modes go by cause."""

from __future__ import annotations

from analyzer.model.session import Expected, ExpectedCall
from analyzer.model.words import Ending
from tests.build import Part, call
from tests.case_study.loaded import study

SCENARIO = "title: Orders\nprompt: Change the address of order 7.\n"
WANTED = Expected((ExpectedCall("change_address", {"order": "7", "zip": "10115"}),), ())
LOOK = call("find_order", {"order": "7"}, "7: open")


def change(code: str) -> Part:
    return call("change_address", {"order": "7", "zip": code}, "Changed.")


def test_modes_go_by_cause_and_not_by_step() -> None:
    runs: list[list[Part]] = [[change("10117")], [LOOK, LOOK, change("10119")], [LOOK]]
    found = study(SCENARIO, *runs, telling="trials", expected=WANTED, ending=Ending.UNSOLVED)
    assert [(mode.title, mode.runs) for mode in found.modes] == [
        ("`change_address` called with another `zip`", [1, 2]),
        ("`change_address` never called", [3]),
    ]


def test_the_cause_says_where_the_values_came_from() -> None:
    found = study(SCENARIO, [LOOK, change("10117")], expected=WANTED, ending=Ending.UNSOLVED)
    (failing,) = found.cascade
    assert "Step 2 calls `change_address` with zip = `10117` instead of `10115`" in failing.root_cause
    assert "the value given, `10117`, appears nowhere before it" in " ".join(failing.proposed)
