"""The closing lines of other test runners."""

from __future__ import annotations

import pytest

from analyzer.failures.runners.registry import parse_summary
from tests.failures.recorded import outputs
from tests.tables import table


@table("failing")
def test_failing_runs(
    report: str, runner: str, language: str, tests: list[str], counts: dict[str, int], message: str
) -> None:
    found = parse_summary(outputs()[report].text if report in outputs() else report)
    assert found is not None
    result, spoken = found
    assert (result.runner, result.failed, spoken) == (runner, True, language)
    assert result.failing_tests == tests
    assert result.counts == counts
    assert result.message == message


PASSING = [
    pytest.param("Passed: 89, Failed: 0\n- test_error\n", id="somebody's-own"),
    pytest.param("TAP version 13\nok 1 - a\nnot ok 2 - b # TODO later\n1..2\n", id="tap-todo"),
]


@pytest.mark.parametrize("report", PASSING)
def test_passing_runs(report: str) -> None:
    found = parse_summary(outputs()[report].text if report in outputs() else report)
    assert found is not None
    assert (found[0].failed, found[0].failing_tests) == (False, [])


@pytest.mark.parametrize(
    "text", ["", "hello", "the tests failed to convince", "3 failed attempts are stored", "FAILED"]
)
def test_prose_is_no_report(text: str) -> None:
    assert parse_summary(text) is None
