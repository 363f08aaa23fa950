"""The one line by which an action is listed."""

from __future__ import annotations

import pytest

from tests.build import diagnosed, run

FAILED = (
    "E   AssertionError: low\n=== short test summary info ===\nFAILED tests/test_a.py::test_low - AssertionError: "
    "low\n=== 1 failed, 3 passed in 0.1s ===\n"
)
COMPILED = "a.ts(1,1): error TS2304: Cannot find name 'oar'.\na.ts(2,1): error TS2304: Cannot find name 'sail'.\n"


@pytest.mark.parametrize(
    ("command", "output", "end"),
    [
        ("pytest", FAILED, ") [1 of 4 tests failed]"),
        (
            "pytest",
            "==== 4 passed, 1 error in 0.10s ====",
            "(TestFailure: tests ended in an error) [1 error, 4 passed]",
        ),
        ("pytest", "Tests: 0 failed, 1 errors, 4 passed", "(TestFailure: tests ended in an error) [1 error, 4 passed]"),
        ("pytest", "==== 1 failed, 3 passed, 2 errors in 0.1s ====", " [1 failed, 2 errors, 3 passed]"),
        ("npx tsc", COMPILED, ") [first of 2 errors]"),
        ("npx tsc", COMPILED.splitlines()[0], "'oar'.)"),
        (
            "python a.py",
            (
                'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    x\nNameError: name '
                "'x' is not defined\n"
            ),
            "not defined)",
        ),
    ],
)
def test_how_many_of_how_many(command: str, output: str, end: str) -> None:
    (row,) = diagnosed(run(command, output, 1)).timeline
    assert row.summary.endswith(end)


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("python3 -m pytest tests", "bash pytest tests"),
        ("/usr/bin/python3 -m pytest t", "bash /usr/bin/python3 -m pytest t"),
    ],
)
def test_an_interpreter_that_was_chosen_is_shown(command: str, shown: str) -> None:
    (row,) = diagnosed(run(command, "1 passed in 0.1s", 0)).timeline
    assert row.summary.startswith(f"{shown} ->")


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param("source env/bin/activate && python oars.py", "bash … python oars.py", id="an-environment"),
        pytest.param("cd /quay && export OARS=2; python oars.py", "bash … python oars.py", id="several"),
        pytest.param("python oars.py && cd /quay", "bash python oars.py && cd /quay", id="behind-it"),
        pytest.param("OARS=2 python oars.py", "bash OARS=2 python oars.py", id="a-variable"),
    ],
)
def test_what_is_left_out_before_a_command_is_marked(command: str, shown: str) -> None:
    (row,) = diagnosed(run(command, "rowed")).timeline
    assert row.summary == f"{shown} -> SUCCESS"
