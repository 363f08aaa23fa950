"""What the pages say of a test that fails by itself, of one that passes what the code refuses, and of one that doesn't
parse."""

from __future__ import annotations

from tests.build import diagnosed, edit, pytest_report, run

REFUSED = pytest_report(
    "ValueError: Need at least 4 corners for a quad",
    test_line=21,
    test_code="shape = Quad(corners=[0, 1, 2])",
    raised=("shapes.py", 49, "raise ValueError(f'Need at least {n} corners for a quad')"),
)


def test_whose_line_fails() -> None:
    rounds = [[edit("shapes.py", f"side = {n}", f"side = {n} + 1"), run("pytest", REFUSED, 1)] for n in range(3)]
    found = diagnosed(*rounds).diagnosis
    text = "\n".join([found.root_cause or "", found.headline, *found.step_back, *(r.text for r in found.reasons)])
    assert "`tests/test_shapes.py:21` passes what the check rejects" in text
    assert "raises the error itself" not in text
