"""Sessions in which what matters was never allowed."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from analyzer.model.words import Basis
from tests.build import Part, call, diagnosed, edit, findings, read, run, says, write

NEEDED = "This command requires approval"
TEST = run("npm test", NEEDED, None, is_error=True)
JEST = run("npx jest", NEEDED, None, is_error=True)
EDIT = edit("pier.py", "a", "b", "The agent asked for permissions to write to pier.py, but you haven't granted it yet.")
PERSON = edit("pier.py", "a", "b", "The user doesn't want to proceed with this tool use.", is_error=True)
SEEN = read("pier.py", "a = 1")


def held(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="never-allowed")


@pytest.mark.parametrize(
    ("parts", "steps", "start"),
    [
        pytest.param([SEEN, TEST, JEST, EDIT], [2, 3, 4], "All 3 calls", id="each of them"),
        pytest.param(
            [SEEN, TEST, run("git status", "clean"), JEST, EDIT, EDIT], [2, 4, 5, 6], "All 4 calls", id="looks between"
        ),
        pytest.param(
            [TEST, run("python pier.py", "7"), JEST, EDIT], [1, 3, 4], "3 of 4 calls", id="another one was allowed"
        ),
    ],
)
def test_fires(parts: list[Part], steps: list[int], start: str) -> None:
    (found,) = held(*parts)
    assert (found.steps, found.severity, found.detectable_at) == (steps, "medium", steps[2])
    assert found.title.startswith(start)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([SEEN, TEST, EDIT], id="two calls"),
        pytest.param([TEST, JEST, EDIT, write("quay.py", "b = 2")], id="something else was changed"),
        pytest.param([TEST, JEST, EDIT, edit("pier.py", "a", "b")], id="it was allowed in the end"),
        pytest.param([PERSON, PERSON, PERSON], id="a person refused it"),
        pytest.param([TEST, JEST, EDIT, [run(f"python p{n}.py", "7") for n in range(5)]], id="most calls were allowed"),
        pytest.param(
            [run("cat /etc/oars", "cat: /etc/oars: Permission denied", 1) for _ in range(4)], id="a system's permission"
        ),
        pytest.param([call("look", {"at": str(n)}, NEEDED, is_error=True) for n in range(4)], id="looks only"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert held(*parts) == []


def test_the_outcome_says_so() -> None:
    made = diagnosed(SEEN, TEST, JEST, EDIT, says("The tests can't be run here, so the change is left to you."))
    assert made.outcome.basis is Basis.WAITING


def test_names_the_calls_to_allow() -> None:
    (found,) = held(SEEN, TEST, JEST, EDIT, run("npx tsc", NEEDED, None, is_error=True))
    assert found.advice == [
        "Allow `npm test`, `npx jest`, `edit pier.py` and 1 other before the next run as far as the task needs them, "
        "or end the turn at step 2, the first that nobody allowed."
    ]
