"""An outcome says where a run ran no test."""

from __future__ import annotations

from tests.build import Part, diagnosed, edit, read, run, says, user

TIDE, DOCK = edit("src/tide.py", "a", "b"), edit("src/dock.py", "a", "b")
SOME = run("pytest tests/test_tide.py", "4 passed in 0.1s")
DONE = says("Both are fixed.")


def reason(*parts: Part) -> str:
    return diagnosed(user("Repair the tide and the dock."), read("src/dock.py"), *parts, DONE).outcome.reason


IDLE = run("npm test -- --filter dock", "No projects matched the filters")


def test_a_run_without_a_test_is_told() -> None:
    assert reason(TIDE, SOME, IDLE).endswith("Step 4 ran no test (`No projects matched the filters`).")


def test_a_run_without_a_test_that_was_made_up_for_is_not() -> None:
    again = run("npm test -- --filter dock", "Tests: 4 passed, 4 total")
    assert "ran no test" not in reason(TIDE, SOME, IDLE, again)
