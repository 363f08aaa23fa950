"""Ruby: backtraces and the reports of rspec and minitest."""

from __future__ import annotations

import pytest

from analyzer.failures.runners import minitest, rspec
from analyzer.failures.runners.registry import report_of
from analyzer.failures.trace import RawFrame, RunResult
from analyzer.failures.traces import ruby
from tests.failures.recorded import outputs

QUAY = "/home/dev/pier/lib/quay.rb"


def report(name: str) -> RunResult:
    found = report_of(outputs()[name].text)
    assert found is not None
    assert found[1] == "ruby"
    return found[0]


REPORTS = [
    pytest.param(
        "rspec/failing",
        "rspec",
        [f"./spec/quay_spec.rb:{line}" for line in (8, 11, 12, 4)],
        {"failed": 4, "passed": 1},
        id="rspec",
    ),
    pytest.param(
        "rspec/broken",
        "rspec",
        ["./spec/broken_spec.rb"],
        {"failed": 0, "errors": 1, "passed": 0},
        id="rspec-does-not-load",
    ),
    pytest.param(
        "minitest/failing",
        "minitest",
        ["QuayTest#test_fleet", "QuayTest#test_refuses", "QuayTest#test_knows_one"],
        {"failed": 2, "errors": 1, "skipped": 1, "passed": 1},
        id="minitest",
    ),
    pytest.param(
        "minitest/verbose",
        "minitest",
        ["QuayTest#test_fleet", "QuayTest#test_refuses", "QuayTest#test_knows_one"],
        {"failed": 2, "errors": 1, "skipped": 1, "passed": 1},
        id="minitest-verbose",
    ),
]


@pytest.mark.parametrize(("name", "runner", "tests", "counts"), REPORTS)
def test_failing_runs(name: str, runner: str, tests: list[str], counts: dict[str, int]) -> None:
    found = report(name)
    assert (found.runner, found.failed, found.failing_tests, found.counts) == (runner, True, tests, counts)


@pytest.mark.parametrize("name", ["rspec/passing", "minitest/passing"])
def test_passing_runs_that_print_errors(name: str) -> None:
    found = report(name)
    assert (found.failed, found.failing_tests, found.traces) == (False, [], [])


SAID = [
    pytest.param(
        "rspec/failing",
        0,
        "RangeError",
        "no berth 7",
        ("./lib/quay.rb", 3, "moor", 'raise RangeError, "no berth #{berth}" if berth > 3'),
        id="rspec",
    ),
    pytest.param(
        "rspec/failing",
        1,
        "NoMethodError",
        "undefined method `draught' for nil:NilClass",
        ("./lib/quay.rb", 12, "depth", "boat.draught + 1"),
        id="rspec-nil",
    ),
    pytest.param(
        "rspec/failing",
        3,
        "AssertionError",
        "expected: 3, got: 2",
        (
            "./spec/quay_spec.rb",
            4,
            "block (3 levels) in <top (required)>",
            'it("knows one") { expect(subject.moor(2)).to eq(3) }',
        ),
        id="rspec-expectation",
    ),
    pytest.param("minitest/failing", 0, "RangeError", "no berth 7", (QUAY, 3, "moor", None), id="minitest"),
    pytest.param(
        "minitest/failing",
        1,
        "Minitest::Assertion",
        "RangeError expected but nothing was raised.",
        ("test/quay_test.rb", 14, "test_refuses", None),
        id="minitest-raises",
    ),
    pytest.param(
        "minitest/failing",
        2,
        "Minitest::Assertion",
        "Expected: 3, Actual: 2",
        ("test/quay_test.rb", 5, "test_knows_one", None),
        id="minitest-assertion",
    ),
]


@pytest.mark.parametrize(("name", "number", "error", "message", "raised"), SAID)
def test_what_a_failing_test_says(
    name: str, number: int, error: str, message: str, raised: tuple[str, int, str, str | None]
) -> None:
    trace = report(name).traces[number]
    assert (trace.type, trace.message, trace.frames[-1]) == (error, message, RawFrame(*raised))


def test_the_last_of_two_runs_counts() -> None:
    failing, passing = outputs()["rspec/failing"].text, outputs()["rspec/passing"].text
    assert not rspec.parse(failing + passing).failed
    assert rspec.parse(passing + failing).failed
    failing, passing = outputs()["minitest/failing"].text, outputs()["minitest/passing"].text
    assert not minitest.parse(failing + passing).failed
    assert len(minitest.parse(passing + failing).traces) == 3


def test_reports_whose_end_was_cut() -> None:
    text = outputs()["rspec/failing"].text.partition("Finished in")[0]
    assert rspec.recognises(text)
    assert rspec.parse(text).failing_tests == [
        "Quay holds a fleet",
        "Quay has draught",
        "Quay is long",
        "Quay berths knows one",
    ]
    text = outputs()["minitest/failing"].text.partition("5 runs")[0]
    assert minitest.recognises(text)
    assert len(minitest.parse(text).failing_tests) == 3


BACKTRACES = [
    pytest.param(
        "ruby/plain",
        "RangeError",
        "no berth 7",
        [
            ("bin/plain.rb", 2, "<main>"),
            (QUAY, 8, "fleet"),
            (QUAY, 8, "map"),
            (QUAY, 8, "block in fleet"),
            (QUAY, 3, "moor"),
        ],
        id="plain",
    ),
    pytest.param(
        "ruby/nil",
        "NoMethodError",
        "undefined method `draught' for nil:NilClass",
        [("bin/nil.rb", 3, "<main>"), (QUAY, 12, "depth")],
        id="code-and-carets",
    ),
    pytest.param(
        "ruby/caused",
        "RangeError",
        "no berth 7",
        [("bin/caused.rb", 7, "<main>"), ("bin/caused.rb", 3, "sail"), (QUAY, 3, "moor")],
        id="cause",
    ),
    pytest.param(
        "ruby/bad",
        "SyntaxError",
        "syntax error, unexpected integer literal, expecting ')'",
        [("bin/bad.rb", 2, None)],
        id="syntax",
    ),
    pytest.param(
        "ruby/caught", "RangeError", "no berth 7", [("bin/caught.rb", 3, "<main>"), (QUAY, 3, "moor")], id="caught"
    ),
    pytest.param(
        "boat.rb:2:in 'Boat#row': no oar (KeyError)\n\tfrom boat.rb:9:in '<main>'\n",
        "KeyError",
        "no oar",
        [("boat.rb", 9, "<main>"), ("boat.rb", 2, "Boat#row")],
        id="new-quotes",
    ),
    pytest.param(
        (
            "Traceback (most recent call last):\n\t1: from boat.rb:9:in `<main>'\nboat.rb:2:in `row': no oar "
            "(Boat::LostError)\n"
        ),
        "Boat::LostError",
        "no oar",
        [("boat.rb", 9, "<main>"), ("boat.rb", 2, "row")],
        id="outermost-first",
    ),
    pytest.param(
        "-e:1:in `<main>': no oar (RuntimeError)\n", "RuntimeError", "no oar", [("-e", 1, "<main>")], id="one-frame"
    ),
]


@pytest.mark.parametrize(("text", "error", "message", "frames"), BACKTRACES)
def test_backtraces(text: str, error: str, message: str, frames: list[tuple[str, int, str | None]]) -> None:
    trace = ruby.traces(outputs()[text].text if text in outputs() else text)[-1]
    assert (trace.type, trace.message) == (error, message)
    assert [(frame.file, frame.line, frame.function) for frame in trace.frames] == frames


@pytest.mark.parametrize(
    "text",
    [
        "boat.rb:2: warning: old oar\n",
        "see boat.rb:2:in passing (Ruby)\n",
        "\tfrom here to there\n",
        "boat.rb:2: x (Foo)\n",
    ],
)
def test_prose_is_no_backtrace(text: str) -> None:
    assert ruby.traces(text) == []
