"""doctest: examples that raise and examples that print something else."""

from __future__ import annotations

from analyzer.failures.runners import doctest
from analyzer.model.words import FailureKind as K
from tests.failures.recorded import failure_of, outputs, shell


def test_an_example_that_raises() -> None:
    output = outputs()["doctest/raises"]
    failure = failure_of(shell(output.command, output.text, output.exit_code))
    assert (failure.kind, failure.headline, failure.runner) == (
        K.EXCEPTION,
        "ValueError: a gig needs at least 4 oars, got 3",
        "doctest",
    )
    assert [(frame.file, frame.line) for frame in failure.frames] == [
        ("tests/pairs.txt", 4),
        ("/home/dev/gig/gig.py", 4),
    ]
    assert failure.frames[0].code == 'Gig(oars=["bow", "two", "three"]).pairs()'


def test_examples_that_print_something_else() -> None:
    output = outputs()["doctest/failing"]
    result = doctest.parse(output.text)
    assert (result.failed, result.failing_tests, result.counts) == (True, ["tides.height", "tides.name"], {"failed": 2})
    assert [trace.message for trace in result.traces] == ["expected 8, got 7", "expected nothing, got neap"]
    assert failure_of(shell(output.command, output.text, output.exit_code)).kind is K.TEST


def test_a_report_that_was_cut_in_the_middle() -> None:
    text = outputs()["doctest/failing"].text
    result = doctest.parse(text[: text.index("Got:")])
    assert result.failing_tests == ["tides.height"]
    assert result.traces[0].message == "expected 8, got nothing"
