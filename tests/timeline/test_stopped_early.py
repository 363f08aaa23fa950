"""Runs that left tests out because one failed, and runs that took them all."""

from __future__ import annotations

import pytest

from analyzer.model.words import Kind
from analyzer.timeline.verification.stopped_early import StoppedEarly, stopped_early
from tests.build import call, run, timeline

PYTEST = "collected 38 items\ntests/test_tide.py F\n{}===== 1 failed, 18 passed in 0.1s =====\n"
STOPPED = "!!!!!!!! stopping after 1 failures !!!!!!!!\n"


def left_out(command: str, result: str) -> StoppedEarly | None:
    (action,) = timeline(run(command, result, 1)).actions
    assert action.failure is not None
    return stopped_early(action)


@pytest.mark.parametrize(
    ("command", "result", "words"),
    [
        pytest.param("pytest -x", PYTEST.format(STOPPED), "19 of 38 tests ran", id="it says so"),
        pytest.param("pytest -xvs tests", PYTEST.format(""), "19 of 38 tests ran", id="options in one word"),
        pytest.param("python -m pytest --maxfail=1", PYTEST.format(""), "19 of 38 tests ran", id="a greatest number"),
        pytest.param("make test", PYTEST.format(STOPPED), "19 of 38 tests ran", id="whatever started it"),
        pytest.param(
            "cargo nextest run",
            "  FAIL tide::low\n  Summary [ 0.1s] 12/40 tests run: 11 passed, 1 failed, 0 skipped\n",
            "12 of 40 tests ran",
            id="a summary with both numbers",
        ),
        pytest.param(
            "npx jest --bail",
            "FAIL src/tide.test.ts\n  ✕ low (3 ms)\nTests:       1 failed, 3 passed, 4 total\n",
            "whether the tests after that failure ran isn't known",
            id="no number of those that are left",
        ),
        pytest.param(
            "go test -failfast ./...",
            "--- FAIL: TestLow (0.00s)\n    tide_test.go:9: got 3\nFAIL\nFAIL\tquay/tide\t0.1s\n",
            "whether the tests after that failure ran isn't known",
            id="an option of another language",
        ),
    ],
)
def test_left_tests_out(command: str, result: str, words: str) -> None:
    found = left_out(command, result)
    assert found is not None
    assert found.words == words


@pytest.mark.parametrize(
    ("command", "result"),
    [
        pytest.param("pytest", PYTEST.format("").replace("38", "19"), id="all of them ran"),
        pytest.param("pytest -x", PYTEST.format("").replace("38", "19"), id="the last one failed"),
        pytest.param(
            "pytest -k low -x",
            PYTEST.format("").replace("38 items", "38 items / 19 deselected / 19 selected"),
            id="the others weren't chosen",
        ),
        pytest.param("pytest -s", PYTEST.format(""), id="nothing says that it left off"),
        pytest.param("npx jest --bail=0", "Tests:       1 failed, 3 passed, 4 total\n", id="turned off"),
        pytest.param("make -x test", PYTEST.format(""), id="an option of another program"),
        pytest.param("pytest -x tests/test_tide.py", "ImportError: cannot import name 'low'\n", id="none ran"),
    ],
)
def test_took_them_all(command: str, result: str) -> None:
    assert left_out(command, result) is None


def test_a_run_that_passes_leaves_nothing_out() -> None:
    (action,) = timeline(run("pytest -x", "collected 3 items\n3 passed in 0.1s\n")).actions
    assert stopped_early(action) is None


def test_a_test_run_without_a_command_stops_nothing_early() -> None:
    called = call("run_tests", {"command": ""}, "=== 1 failed, 18 passed in 0.1s ===\n", exit_code=1)
    (action,) = timeline(called).actions
    assert (action.kind, action.operation.command, action.failure is None) == (Kind.TEST, None, False)
    assert stopped_early(action) is None
