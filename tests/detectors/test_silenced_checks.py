"""Checks that pass because they were silenced, and checks that were mended."""

from __future__ import annotations

from analyzer.detectors import detect
from analyzer.model.finding import Finding
from tests.build import Part, findings, pytest_report, run, timeline
from tests.sessions import Written, parts_of
from tests.tables import table

FAILS = run(
    "pytest",
    pytest_report(
        "AssertionError: assert 3 == 4",
        test="tests/test_oars.py",
        function="test_pairs",
        test_code="assert pairs() == 4",
    ),
    1,
)


def silenced(*parts: Part, task: str = "") -> list[Finding]:
    return [found for found in findings(*parts, detector="weakened-tests", task=task) if found.kind == "silenced"]


@table("fires")
def test_fires(parts: Written, severity: str, steps: list[int]) -> None:
    (found,) = silenced(*parts_of(parts))
    assert (found.severity, found.steps, found.detectable_at) == (severity, steps, steps[-1])


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert silenced(*parts_of(parts)) == []


def test_can_be_switched_off() -> None:
    made = timeline(FAILS, run("git rm tests/test_oars.py", "rm 'tests/test_oars.py'"))
    assert detect(made, select=["weakened-tests"], settings={"weakened-tests": {"silenced": False}}) == []
