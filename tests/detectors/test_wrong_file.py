"""The cause is in the test, and the agent edits something else."""

from __future__ import annotations

from typing import Any

from analyzer.model.finding import Finding
from tests.build import Part, edit, findings, pytest_report, run
from tests.sessions import Written, parts_of
from tests.tables import table


def parsed(file: str = "/w/tests/test_shapes.py") -> str:
    return f"  File \"{file}\", line 21\n    corners = [0, 1\n              ^\nSyntaxError: '[' was never closed\n"


NEEDS_FOUR = pytest_report(
    "ValueError: Need at least 4 corners for a quad",
    test_line=21,
    test_code="shape = Quad(corners=[0, 1, 2])",
    raised=("shapes.py", 49, "raise ValueError(f'Need at least {n} corners for a quad')"),
)
REFUSAL = pytest_report(
    "ValueError: unsupported unit",
    test_code="area = area_of(size, unit)",
    raised=("shapes.py", 49, "raise ValueError('unsupported unit')"),
)


def wrong_files(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="wrong-file", **header)


def rounds(report: str, count: int = 3, path: str = "shapes.py", command: str = "pytest") -> list[Part]:
    return [[edit(path, f"side = {n}", f"side = {n} + 1"), run(command, report, 1)] for n in range(count)]


@table("fires")
def test_fires(parts: Written, fault: str, edited: list[str]) -> None:
    (found,) = wrong_files(*parts_of(parts))
    assert found.fault is not None
    assert found.fault.file == fault
    assert found.edited_instead == edited
    assert found.detectable_at == found.steps[2]
    assert found.first_step == found.steps[0]
    assert all(entry.quote for entry in found.evidence)


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert [found.title for found in wrong_files(*parts_of(parts))] == []


def test_a_single_edit_is_not_called_every_edit() -> None:
    parts: list[Part] = [run("pytest", NEEDS_FOUR, 1), edit("shapes.py", "a", "b"), [run("pytest", NEEDS_FOUR, 1)] * 2]
    (found,) = wrong_files(*parts)
    assert found.title == "The cause is in tests/test_shapes.py:21, but the only edit went to shapes.py"


def test_it_quotes_the_line_of_the_test_and_the_refusal() -> None:
    (found,) = wrong_files(rounds(NEEDS_FOUR))
    quotes = [entry.quote for entry in found.evidence]
    assert "shape = Quad(corners=[0, 1, 2])" in quotes
    assert quotes[-1] == "ValueError: Need at least 4 corners for a quad"
    assert found.fault is not None
    assert (found.fault.line, found.fault.code, found.fault.step) == (21, "shape = Quad(corners=[0, 1, 2])", 2)


def test_it_is_surer_with_a_literal_than_without() -> None:
    (literal,), (refusal,) = wrong_files(rounds(NEEDS_FOUR)), wrong_files(rounds(REFUSAL))
    assert literal.confidence > refusal.confidence


def test_where_a_parser_stops_is_not_called_the_line_at_fault() -> None:
    (found,) = wrong_files(rounds(parsed()))
    assert found.title == "The cause is in /w/tests/test_shapes.py, but every edit went to shapes.py"
    assert found.fault is not None
    assert (found.fault.line, found.fault.code) == (None, None)
    assert found.advice[0] == "Read /w/tests/test_shapes.py from line 21 upwards: it doesn't parse."
