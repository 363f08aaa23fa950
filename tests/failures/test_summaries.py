"""The closing lines of other test runners."""

from __future__ import annotations

import pytest

from analyzer.failures.runners.summaries import parse
from tests.failures.recorded import outputs

TAP = "TAP version 13\nok 1 - floats\nnot ok 2 - sinks\n  error: too deep\n1..2\n# pass 1\n# fail 1\n"
OWN = "Results\n- test_floats\n- test_sinks\nPassed: 89, Failed: 2\n"

FAILING = [
    pytest.param(TAP, "TAP", "", ["sinks"], {"passed": 1, "failed": 1}, "too deep", id="tap"),
    pytest.param(
        "TAP version 13\nnot ok 1 - Boat.sinks\nnot ok 2 - sinks\n1..2\n",
        "TAP",
        "",
        ["Boat.sinks", "sinks"],
        {},
        "",
        id="tap: a name ends like another",
    ),
    pytest.param(
        "= tests finished: 97 passed, 2 expected to fail, 1 failed, 11 exceptions, in 1.41 seconds =\nDO NOT COMMIT!\n",
        "tests",
        "",
        [],
        {"failed": 12, "passed": 97},
        "",
        id="a line that counts in its own words",
    ),
    pytest.param(OWN, "tests", "", ["test_floats", "test_sinks"], {"failed": 2, "passed": 89}, "", id="somebody's-own"),
]


@pytest.mark.parametrize(("report", "runner", "language", "tests", "counts", "message"), FAILING)
def test_failing_runs(
    report: str, runner: str, language: str, tests: list[str], counts: dict[str, int], message: str
) -> None:
    found = parse(outputs()[report].text if report in outputs() else report)
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
    found = parse(outputs()[report].text if report in outputs() else report)
    assert found is not None
    assert (found[0].failed, found[0].failing_tests) == (False, [])


@pytest.mark.parametrize(
    "text", ["", "hello", "the tests failed to convince", "3 failed attempts are stored", "FAILED"]
)
def test_prose_is_no_report(text: str) -> None:
    assert parse(text) is None
