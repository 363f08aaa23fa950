"""A loop weighs by what it cost, too."""

from __future__ import annotations

import pytest

from analyzer.model.session import Tokens, Usage
from analyzer.model.words import Severity
from tests.build import Part, findings, read, run

ERROR = "Error: could not reach the tide gauge"
AFTER = [read(f"plan{number}.md", f"plan {number}") for number in range(6)]


def tries(took: float | None) -> list[Part]:
    times = [{"at": 100.0 + (took or 0) * number, "took": 1.0} if took else {} for number in range(3)]
    return [run("./gauge --read", ERROR, 1, **given) for given in times]


@pytest.mark.parametrize(
    ("took", "severity"),
    [(None, Severity.LOW), (30.0, Severity.LOW), (500.0, Severity.MEDIUM), (2_000.0, Severity.HIGH)],
)
def test_three_rounds_weigh_by_their_time(took: float | None, severity: Severity) -> None:
    (found,) = findings(*tries(took), *AFTER, detector="loops")
    assert found.severity is severity


@pytest.mark.parametrize(
    ("tokens", "severity"), [(10_000, Severity.LOW), (900_000, Severity.MEDIUM), (4_000_000, Severity.HIGH)]
)
def test_three_rounds_weigh_by_their_tokens(tokens: int, severity: Severity) -> None:
    spent = Usage(Tokens(tokens, 10))
    (found,) = findings(*(run("./gauge --read", ERROR, 1, used=spent) for _ in range(3)), *AFTER, detector="loops")
    assert found.severity is severity
