"""Tests that a run left out because it stopped at a failure, and twins in which something took them."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, run, says, user

FIX = edit("/w/tide.py", "return 1", "return 2")
MORE = edit("/w/tide.py", "return 2", "return 3")
RED = "collected 38 items\ntests/test_knot.py F\nE   AssertionError: 3 != 4\nFAILED tests/test_knot.py::test_ply\n"
CUT = f"{RED}!!! stopping after 1 failures !!!\n1 failed, 18 passed in 0.1s"
STOPPED = run("pytest -x tests", CUT, 1)
NEXTEST = run(
    "cargo nextest run",
    "FAIL [0.1s] quay knot::ply\nSummary [0.2s] 12/40 tests run: 11 passed, 1 failed, 0 skipped",
    100,
)
ONE = run("pytest tests/test_knot.py::test_ply", "1 passed in 0.1s")
DONE = says("I've fixed the tide, it works now.")


def said(*parts: Part) -> list[str]:
    found = diagnosed(user("Mend the tide."), *parts, environment={"working directory": "/w"})
    return [entry.text for entry in found.diagnosis.lead if "stopped at a failure" in entry.text]


@pytest.mark.parametrize(
    ("parts", "counts"),
    [
        pytest.param([FIX, STOPPED, MORE, ONE, DONE], "19 of 38 tests ran", id="only the failing one ran then"),
        pytest.param(
            [FIX, NEXTEST, MORE, run("cargo nextest run -E 'test(ply)'", "1 passed"), DONE],
            "12 of 40 tests ran",
            id="another runner",
        ),
        pytest.param([FIX, STOPPED, MORE, STOPPED, MORE, ONE, DONE], "19 of 38 tests ran", id="twice"),
    ],
)
def test_tests_were_left_out(parts: list[Part], counts: str) -> None:
    (text,) = said(*parts)
    assert f"stopped at a failure, and {counts}: no later run took the others." in text


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([FIX, STOPPED, MORE, run("pytest -x tests", "38 passed in 0.1s"), DONE], id="the same run passed"),
        pytest.param([FIX, STOPPED, MORE, run("pytest", "38 passed in 0.1s"), DONE], id="all of them passed"),
        pytest.param([FIX, STOPPED, run("pytest tests", "2 failed, 36 passed", 1), MORE, ONE, DONE], id="all ran"),
        pytest.param([FIX, STOPPED, MORE, run("npm test", "38 passing"), DONE], id="another runner may have"),
        pytest.param(
            [FIX, run("pytest -x tests", CUT.replace("38 items", "19 items"), 1), MORE, ONE, DONE], id="the last"
        ),
        pytest.param([FIX, run("pytest tests", "1 failed, 18 passed", 1), MORE, ONE, DONE], id="without stopping"),
        pytest.param([FIX, STOPPED], id="nothing is reported"),
    ],
)
def test_none_was_left_out(parts: list[Part]) -> None:
    assert said(*parts) == []
