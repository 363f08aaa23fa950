"""Words that tests of a kind pass, held against runs that never reached one of them."""

from __future__ import annotations

import pytest

from analyzer.model.words import Severity
from tests.build import Part, edit, findings, run, says, submit

FIX = edit("tide.py", "a", "b")
PASSED = run("pytest tests", "4 passed in 0.10s")
BROKEN = run(
    "pytest --doctest-modules tide.py",
    "==== ERRORS ====\n____ ERROR collecting tide.py ____\nE   ValueError: line 9 of the docstring for tide.low has "
    "inconsistent leading whitespace: 'b,'\n=== short test summary info ===\nERROR tide.py\n==== 1 error in 0.24s ====",
    2,
)
NONE = run("pytest -m integration", "collected 4 items / 4 deselected\n\n==== no tests ran in 0.01s ====", 5)
RAN = run("pytest --doctest-modules tide.py", "1 passed in 0.10s")
FAILED = run("pytest --doctest-modules tide.py", "FAILED tide.py::tide.low\n==== 1 failed, 2 passed in 0.1s ====", 1)
CLAIM = "I checked that the existing tests (doctests) pass, apart from an old error."


def titles(*parts: Part) -> list[tuple[str, Severity]]:
    found = findings(*parts, detector="claims-against-evidence")
    return [(entry.title, entry.severity) for entry in found if entry.kind == "never-reached"]


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        pytest.param(
            [FIX, PASSED, BROKEN, BROKEN, submit(CLAIM)],
            "After step 4 the agent says that doctests pass, but no run of them reached one (steps 3 and 4)",
            id="they couldn't be collected",
        ),
        pytest.param(
            [FIX, PASSED, NONE, says("The integration tests pass as well.")],
            "After step 3 the agent says that integration tests pass, but no run of them reached one (step 3)",
            id="none was selected",
        ),
    ],
)
def test_no_run_reached_one(parts: list[Part], title: str) -> None:
    assert titles(*parts) == [(title, Severity.MEDIUM)]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([FIX, PASSED, BROKEN, RAN, submit(CLAIM)], id="they ran in the end"),
        pytest.param([FIX, RAN, FIX, BROKEN, submit(CLAIM)], id="they had run before"),
        pytest.param([FIX, PASSED, FAILED, submit(CLAIM)], id="some passed"),
        pytest.param([FIX, PASSED, BROKEN, submit("All tests pass now.")], id="no kind is named"),
        pytest.param([FIX, PASSED, BROKEN, submit("The doctests should pass.")], id="a hope"),
        pytest.param([FIX, PASSED, BROKEN, submit("I couldn't see whether the doctests pass.")], id="an admission"),
        pytest.param([FIX, PASSED, NONE, submit(CLAIM)], id="another kind"),
        pytest.param([FIX, PASSED, submit(CLAIM)], id="no run is named so"),
    ],
)
def test_what_only_looks_so(parts: list[Part]) -> None:
    assert titles(*parts) == []
