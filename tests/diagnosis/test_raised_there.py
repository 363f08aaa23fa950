"""What the pages say of a test that fails by itself, of one that passes what the code refuses, and of one that doesn't
parse."""

from __future__ import annotations

import pytest

from tests.build import diagnosed, edit, pytest_report, run

REFUSED = pytest_report(
    "ValueError: Need at least 4 corners for a quad",
    test_line=21,
    test_code="shape = Quad(corners=[0, 1, 2])",
    raised=("shapes.py", 49, "raise ValueError(f'Need at least {n} corners for a quad')"),
)
CASES = [pytest.param(REFUSED, "That line passes what the check rejects", ["raises the error itself"], id="refused")]


@pytest.mark.parametrize(("report", "said", "not_said"), CASES)
def test_whose_line_fails(report: str, said: str, not_said: list[str]) -> None:
    rounds = [[edit("shapes.py", f"side = {n}", f"side = {n} + 1"), run("pytest", report, 1)] for n in range(3)]
    found = diagnosed(*rounds).diagnosis
    text = "\n".join([found.root_cause or "", found.headline, *found.step_back, *(r.text for r in found.reasons)])
    assert said in text
    assert [words for words in not_said if words in text] == []
