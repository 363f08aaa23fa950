"""bun test."""

from __future__ import annotations

import pytest

from analyzer.failures.runners import bun_test
from analyzer.model.words import FailureKind as K
from analyzer.text.plain import plain
from tests.failures.recorded import failure_of, outputs, shell


def test_failing_tests_and_a_file_that_does_not_load() -> None:
    result = bun_test.parse(outputs()["bun/failing"].text)
    assert result.failing_tests == ["test/lost.test.ts", "rows in pairs", "crew > counts"]
    assert result.counts == {"passed": 1, "failed": 3, "errors": 1}
    assert [trace.message for trace in result.traces] == [
        "Cannot find package 'shanties' from '/home/dev/gig/test/lost.test.ts'",
        "a gig needs at least 4 oars, got 3",
        "expect(received).toBe(expected): expected 3, received 2",
    ]
    assert [frame.line for frame in result.traces[1].frames] == [4, 2]


def test_the_first_error_is_the_failure() -> None:
    output = outputs()["bun/failing"]
    failure = failure_of(shell(output.command, output.text, output.exit_code))
    assert (failure.kind, failure.runner) == (K.MISSING_DEPENDENCY, "bun test")


def test_in_colour() -> None:
    result = bun_test.parse(plain(outputs()["bun/colour"].text))
    assert result.counts["failed"] == 2
    assert result.traces[0].type == "RangeError"


def test_a_passing_run() -> None:
    output = outputs()["bun/passing"]
    assert shell(output.command, output.text, output.exit_code).failure is None


@pytest.mark.parametrize("end", [200, 600, 900])
def test_a_report_that_was_cut(end: int) -> None:
    bun_test.parse(outputs()["bun/failing"].text[:end])
