"""PHP: uncaught exceptions, fatal errors and PHPUnit's report."""

from __future__ import annotations

import pytest

from analyzer.failures.runners import phpunit
from analyzer.failures.trace import RawFrame
from analyzer.failures.traces import php
from tests.failures.recorded import outputs

QUAY = "/home/dev/quay/src/quay.php"
FLEET = [
    ("plain.php", 4, None),
    ("plain.php", 3, "sail"),
    ("src/quay.php", 8, "Quay->fleet"),
    ("src/quay.php", 8, "Quay->{closure}"),
    ("src/quay.php", 4, "Quay->moor"),
]
ERRORS = [
    pytest.param("php/plain", "RangeException", "no berth 7", FLEET, id="plain"),
    pytest.param("php/logged", "RangeException", "no berth 7", FLEET, id="logged"),
    pytest.param("php/caused", "LogicException", "cannot sail", [("caused.php", 3, None)], id="chain-and-two-lines"),
    pytest.param(
        "php/bad",
        "SyntaxError",
        'syntax error, unexpected token "{", expecting variable',
        [("bad.php", 2, None)],
        id="syntax",
    ),
    pytest.param(
        "php/undefined", "Error", "Call to undefined function null_crew()", [("undefined.php", 3, None)], id="undefined"
    ),
    pytest.param(
        "php/caught",
        "RangeException",
        "no berth 7",
        [("caught.php", 3, None), ("src/quay.php", 4, "Quay->moor")],
        id="printed",
    ),
]


@pytest.mark.parametrize(("name", "error", "message", "frames"), ERRORS)
def test_errors(name: str, error: str, message: str, frames: list[tuple[str, int, str | None]]) -> None:
    trace = php.traces(outputs()[name].text)[-1]
    assert (trace.type, trace.message) == (error, message)
    assert trace.frames == [RawFrame(f"/home/dev/quay/{file}", line, function) for file, line, function in frames]


def test_the_same_error_in_log_and_output_is_one() -> None:
    error = "Parse error: unexpected end of file in /srv/boat.php on line 3\n"
    assert len(php.traces(f"PHP {error}{error}")) == 1


def test_a_namespaced_exception() -> None:
    text = (
        "PHP Fatal error:  Uncaught Quay\\LostError: no oar in /srv/boat.php:3\nStack trace:\n#0 {main}\n  thrown in "
        "/srv/boat.php on line 3\n"
    )
    assert php.traces(text)[0].type == "Quay\\LostError"


@pytest.mark.parametrize(
    "text", ["Stack trace:\n", "Stack trace:\nnone\n", "Fatal error: none today\n", "#0 boat.php(3): row()\n"]
)
def test_prose_is_no_error(text: str) -> None:
    assert php.traces(text) == []


def test_phpunit_failing() -> None:
    found = phpunit.parse(outputs()["phpunit/failing"].text)
    assert found.failing_tests == [
        "QuayTest::testFleet",
        "QuayTest::testKnowsOne",
        "QuayTest::testMoorsAt with data set #0 (1, 2)",
    ]
    assert found.counts == {"failed": 2, "errors": 1, "skipped": 1, "passed": 2}
    assert [(trace.type, trace.message) for trace in found.traces] == [
        ("RangeException", "no berth 7"),
        ("AssertionError", "Failed asserting that 2 is identical to 3."),
        ("AssertionError", "Failed asserting that two arrays are equal."),
    ]
    assert [(frame.file, frame.line) for frame in found.traces[0].frames] == [
        ("/home/dev/quay/tests/QuayTest.php", 6),
        (QUAY, 8),
        (QUAY, 8),
        (QUAY, 4),
    ]
    assert [trace.frames[-1].line for trace in found.traces[1:]] == [5, 9]


def test_phpunit_passing() -> None:
    found = phpunit.parse(outputs()["phpunit/passing"].text)
    assert (found.failed, found.traces, found.counts) == (False, [], {"passed": 1})


def test_skipped_tests_are_no_failing_ones() -> None:
    text = (
        "There was 1 skipped test:\n\n1) BoatTest::testSails\nno wind\n\nOK, but incomplete, skipped, or risky "
        "tests!\nTests: 2, Assertions: 1, Skipped: 1.\n"
    )
    found = phpunit.parse(text)
    assert (found.failed, found.failing_tests, found.counts) == (False, [], {"skipped": 1, "passed": 1})


def test_a_run_that_a_fatal_error_ended() -> None:
    found = phpunit.parse(f"PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\n.\n{outputs()['php/plain'].text}")
    assert (found.failed, found.message) == (True, "no berth 7")


def test_a_report_whose_end_was_cut() -> None:
    text = outputs()["phpunit/failing"].text.partition("ERRORS!")[0]
    assert phpunit.recognises(text)
    assert (phpunit.parse(text).failed, len(phpunit.parse(text).failing_tests)) == (True, 3)
