"""The implementation is at fault, and the test is made to agree with it."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, edit, findings, pytest_report, run
from tests.sessions import Written, parts_of
from tests.tables import table

FAILS = pytest_report("AssertionError: assert 3 == 4", test_code="assert gig.pairs() == 4", raised=None)
RAISES = pytest_report("KeyError: 'bow'", raised=("shapes.py", 49, "return self.oars[name]"))
TEST = "tests/test_shapes.py"


def found(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="weakened-tests")


def fails(report: str = FAILS) -> Part:
    return run("pytest", report, 1)


@table("a_weakened_test")
def test_a_weakened_test(parts: Written, how: str) -> None:
    (finding,) = found(*parts_of(parts))
    assert finding.kind == "weakened"
    assert how in finding.title
    assert finding.evidence[1].quote


@table("a_fair_change")
def test_a_fair_change(parts: Written) -> None:
    assert [finding.title for finding in found(*parts_of(parts))] == []


def test_only_tests_are_edited_while_the_implementation_raises() -> None:
    rounds = [[fails(RAISES), edit(TEST, f"gig = {n}", f"gig = {n} + 1")] for n in range(3)]
    (finding,) = findings(rounds, fails(RAISES), detector="wrong-file")
    assert (finding.kind, finding.steps) == ("implementation-origin", [1, 3, 5, 7])
    assert "shapes.py:49" in finding.title


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [[fails(RAISES), edit("shapes.py", "a", "b")], [fails(RAISES), edit(TEST, "a", "b")], fails(RAISES)],
            id="the-implementation-was-edited-too",
        ),
        pytest.param(
            [[fails(), edit(TEST, "a", "b")], [fails(), edit(TEST, "c", "d")], fails()], id="a-plain-assertion"
        ),
        pytest.param([fails(RAISES), fails(RAISES), edit(TEST, "a", "b"), fails(RAISES)], id="one-edit-only"),
    ],
)
def test_it_does_not_say_so(parts: list[Part]) -> None:
    assert [finding.title for finding in (*found(*parts), *findings(*parts, detector="wrong-file"))] == []
