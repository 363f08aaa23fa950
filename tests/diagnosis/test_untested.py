"""An outcome names the delivered files of which no test ran, where the tests are named after their files."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, read, run, says, user, write

TIDE, DOCK = edit("src/tide.py", "a", "b"), edit("src/dock.py", "a", "b")
SOME = run("pytest tests/test_tide.py", "4 passed in 0.1s")
DONE = says("Both are fixed.")


def reason(*parts: Part) -> str:
    return diagnosed(user("Repair the tide and the dock."), read("src/dock.py"), *parts, DONE).outcome.reason


def test_a_file_whose_tests_did_not_run() -> None:
    assert reason(TIDE, DOCK, SOME).endswith("`src/dock.py` was changed too, and no `test_dock.py` ran.")


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([TIDE, SOME], id="one file"),
        pytest.param([TIDE, DOCK, run("pytest", "4 passed in 0.1s")], id="all tests"),
        pytest.param([TIDE, DOCK, run("pytest tests/test_all.py", "4 passed in 0.1s")], id="names that say nothing"),
        pytest.param([TIDE, DOCK, SOME, run("pytest tests/test_dock.py", "2 passed in 0.1s")], id="both"),
        pytest.param([TIDE, write("src/help.py", "x = 1"), SOME], id="a new file"),
    ],
)
def test_nothing_is_said(parts: list[Part]) -> None:
    assert "changed too" not in reason(*parts)


IDLE = run("npm test -- --filter dock", "No projects matched the filters")


def test_a_run_without_a_test_is_told() -> None:
    assert reason(TIDE, SOME, IDLE).endswith("Step 4 ran no test (`No projects matched the filters`).")


def test_a_run_without_a_test_that_was_made_up_for_is_not() -> None:
    again = run("npm test -- --filter dock", "Tests: 4 passed, 4 total")
    assert "ran no test" not in reason(TIDE, SOME, IDLE, again)
