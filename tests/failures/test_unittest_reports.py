"""unittest's report, as Python's own runner and Django's print it."""

from __future__ import annotations

import pytest

from analyzer.failures.runners.table import RUNNERS
from tests.failures.recorded import outputs

[UNITTEST] = [runner for runner in RUNNERS if runner.NAME == "unittest"]
parse, recognises = UNITTEST.parse, UNITTEST.recognises
BOATS = "plain_tests.test_boats."


@pytest.mark.parametrize("name", ["failing", "failing_verbose"])
def test_failing_tests_counts_and_traces(name: str) -> None:
    result = parse(outputs()[f"unittest/{name}"].text)
    assert result.failed
    assert sorted(result.failing_tests) == [
        BOATS + "BoatTest.test_each",
        BOATS + "BoatTest.test_sinks",
        BOATS + "BoatTest.test_stations",
        BOATS + "DockTest.setUpClass",
    ]
    assert (result.counts["failed"], result.counts["errors"], result.counts["skipped"]) == (2, 2, 1)
    assert [(trace.type, trace.message) for trace in result.traces] == [
        ("ValueError", "need at least 4 stations, got 2"),
        ("OSError", "the dock is closed"),
        ("AssertionError", "'two words' not found in 'north'"),
        ("AssertionError", "{'crew': 3} != {'crew': 4}"),
    ]


def test_expected_failures_are_no_failures() -> None:
    result = parse("x\nRan 3 tests in 0.1s\n\nOK (skipped=1, expected failures=1)\n")
    assert not result.failed
    assert result.counts.get("failed", 0) == 0


def test_expected_failures_do_not_stand_for_real_ones() -> None:
    assert parse("Ran 9 tests in 0.1s\n\nFAILED (failures=2, expected failures=5)\n").counts["failed"] == 2


def test_an_unexpected_success_fails_the_run() -> None:
    assert parse("u\nRan 1 test in 0.1s\n\nFAILED (unexpected successes=1)\n").failed


@pytest.mark.parametrize(
    "name", ["unittest/passing", "unittest/passing_verbose", "unittest/fail_then_pass", "django/passing"]
)
def test_passing_runs(name: str) -> None:
    text = outputs()[name].text
    assert recognises(text)
    result = parse(text)
    assert (result.failed, result.failing_tests, result.traces) == (False, [], [])


@pytest.mark.parametrize(("name", "test"), [("unittest/no_module", "test_none"), ("django/no_app", "pier")])
def test_a_module_that_can_not_be_loaded(name: str, test: str) -> None:
    result = parse(outputs()[name].text)
    assert result.failing_tests == [f"unittest.loader._FailedTest.{test}"]
    assert [trace.type for trace in result.traces] == ["ModuleNotFoundError"]


def test_django() -> None:
    result = parse(outputs()["django/failing"].text)
    assert result.failing_tests == ["quay.tests.BoatTests.test_field", "quay.tests.BoatTests.test_saved"]
    assert result.counts == {"failed": 1, "errors": 1, "passed": 1}
    assert result.traces[0].type == "django.core.exceptions.FieldError"


def test_names_as_older_versions_print_them() -> None:
    rule = "=" * 70
    text = f"{rule}\nFAIL: test_sinks (boats.BoatTest)\n{'-' * 70}\n\nRan 1 test in 0.1s\n\nFAILED (failures=1)\n"
    assert parse(text).failing_tests == ["boats.BoatTest.test_sinks"]


def test_logged_errors_are_no_tests() -> None:
    text = "ERROR: lighthouse (gone)\nFAIL: fog\n\nRan 1 test in 0.1s\n\nFAILED (failures=1)\n"
    assert parse(text).failing_tests == []


def test_a_run_after_another_one_counts() -> None:
    failing, passing = outputs()["unittest/failing"].text, outputs()["unittest/passing"].text
    assert not parse(failing + passing).failed
    result = parse(passing + failing)
    assert result.counts["failed"] == 2
    assert len(result.failing_tests) == 4


def test_a_report_without_a_verdict_says_nothing() -> None:
    assert not parse("Ran 3 tests in 0.1s\n").failed


@pytest.mark.parametrize(
    ("verdict", "passed"),
    [
        ("OK", 9),
        ("OK (skipped=1, expected failures=2)", 6),
        ("FAILED (errors=1, expected failures=1)", 7),
        ("FAILED (unexpected successes=1)", 8),
    ],
)
def test_what_failed_as_expected_did_not_pass(verdict: str, passed: int) -> None:
    assert parse(f"Ran 9 tests in 0.1s\n\n{verdict}\n").counts["passed"] == passed
