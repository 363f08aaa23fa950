"""Closing reports that say more than the session did, and those that don't."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, call, edit, findings, run, says, user
from tests.sessions import Written, parts_of
from tests.tables import table

CHANGE = edit("tide.py", "a", "b")
PASSES = run("pytest", "12 passed in 0.1s")
ALL_FAIL = run("pytest tests", "2 failed, 10 passed in 0.1s", 1)
SLOW = run("pytest tests", "tests/test_tide.py ....\nCommand timed out after 60 seconds", None)
PART = run("pytest tests/test_tide.py", "4 passed in 0.1s")
COMMIT = run("git commit -am x", "[main 1a] x")
REJECTED = run("git push", "! [rejected] main -> main\nerror: failed to push some refs", 1)
ASKED = (user("Commit?"), PASSES, says("I committed it."), user("Now the buoys."), says("They are fine."))
CHOSEN = run("pytest -k tide", "3 passed, 20 deselected in 0.1s")


def overstated(*parts: Part) -> list[Finding]:
    return findings(user("Repair the tide table."), *parts, detector="overstated-report")


@pytest.mark.parametrize(
    ("parts", "kind", "severity"),
    [
        pytest.param([CHANGE, PASSES, says("Fixed and committed.")], "not-done", "high", id="no commit"),
        pytest.param([CHANGE, COMMIT, REJECTED, says("I have pushed it.")], "not-done", "high", id="a refused push"),
        pytest.param([CHANGE, says("Done."), *ASKED], "not-done", "high", id="no commit, in a turn before"),
        pytest.param([CHANGE, says("It's now deployed.")], "not-done", "high", id="no deployment"),
        pytest.param([CHANGE, says("I opened a pull request.")], "not-done", "high", id="no pull request"),
        pytest.param([CHANGE, PASSES, says("All 30 tests pass.")], "no-measure", "medium", id="too many"),
        pytest.param([CHANGE, ALL_FAIL, PART, says("All tests pass.")], "check", "high", id="a part of a failing run"),
        pytest.param([CHANGE, SLOW, PART, says("Existing tests pass.")], "check", "high", id="a part of a slow run"),
    ],
)
def test_fires(parts: list[Part], kind: str, severity: str) -> None:
    (found,) = overstated(*parts)
    assert (found.kind, found.severity) == (kind, severity)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([CHANGE, COMMIT, says("Fixed and committed.")], id="committed"),
        pytest.param([CHANGE, COMMIT, says("Done."), *ASKED], id="committed in a turn before"),
        pytest.param([CHANGE, REJECTED, run("git push", "a -> b"), says("I pushed it.")], id="pushed at last"),
        pytest.param([CHANGE, says("Nothing is committed yet; shall I?")], id="not yet"),
        pytest.param([CHANGE, says("Once it's pushed, the site is deployed by the pipeline.")], id="later"),
        pytest.param([CHANGE, says("The changes you pushed are in.")], id="by the user"),
        pytest.param([CHANGE, run("./ship.sh", "ok, pushed"), says("I pushed it.")], id="by a script"),
        pytest.param([CHANGE, call("publisher", {"what": "tide"}, "ok"), says("I pushed it.")], id="by a tool"),
        pytest.param(
            [call("Task", {"prompt": "Mend the dock."}, "The dock is mended."), CHANGE, says("Both are fixed.")],
            id="a sub-agent that answered",
        ),
        pytest.param([CHANGE, PASSES, says("All 12 tests pass.")], id="as many"),
        pytest.param([CHANGE, PASSES, PART, says("16 tests pass.")], id="the sum of two runs"),
        pytest.param([CHANGE, run("make test", "ok"), says("30 tests pass.")], id="a run that counts nothing"),
        pytest.param([CHANGE, ALL_FAIL, PART, says("The tests of the tide pass.")], id="only what ran"),
        pytest.param([CHANGE, ALL_FAIL, PART, says("All tests pass except two.")], id="a reservation"),
        pytest.param([CHANGE, PART, says("All tests pass.")], id="all of the file that ran, for all that is known"),
        pytest.param([CHANGE, CHOSEN, PASSES, says("All tests pass.")], id="then all of them"),
        pytest.param([CHANGE, CHOSEN, says("The selected tests pass.")], id="the selected ones"),
        pytest.param([CHANGE, PART, run("make check", "ok"), says("The full suite passes.")], id="another runner too"),
        pytest.param([CHANGE, PART, PASSES, says("All tests pass.")], id="all of them ran"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert overstated(*parts) == []


def test_a_session_that_continues_another_may_report_what_that_one_did() -> None:
    earlier = user("This session is continued from a previous conversation that ran out of context.")
    assert findings(earlier, CHANGE, says("Committed and pushed."), detector="overstated-report") == []


@table("an_act_that_failed_and_is_passed_over")
def test_an_act_that_failed_and_is_passed_over(parts: Written, fires: bool) -> None:
    assert [found.kind for found in overstated(*parts_of(parts))] == ["unreported-failure"] * fires


def test_a_count_is_held_against_the_answers_of_sub_agents_too() -> None:
    helper = run("pytest", "24 passed in 0.1s", lane="helper")
    told = call("Task", {"prompt": "Mend the dock."}, "24 tests pass.")
    assert [entry.kind for entry in overstated(helper, told, says("All 42 tests pass."))] == ["no-measure"]
    assert overstated(helper, told, says("All 24 tests pass.")) == []
