"""Go: panics, what the compiler and vet say, and the reports of `go test`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.runners import go_test
from analyzer.failures.traces.table import BY_NAME
from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from analyzer.text.plain import plain
from tests.drawn import examples
from tests.failures.recorded import failure_of, outputs, shell
from tests.tables import table


@table("panics")
def test_panic(name: str, kind: str, message: str, frames: list[tuple[str, int]]) -> None:
    [trace] = BY_NAME["go"].traces(outputs()[name].text)
    assert (trace.type, trace.message) == (kind, message)
    assert [(frame.function, frame.line) for frame in trace.frames] == frames


def test_a_trace_without_its_head_has_frames() -> None:
    text = outputs()["go/run_goroutine"].text
    [trace] = BY_NAME["go"].traces("... [1200 chars elided] ...\n" + text[text.index("goroutine") :])
    assert (trace.type, [frame.function for frame in trace.frames]) == (
        None,
        ["main.main", "main.main.func1", "keel.Fathoms"],
    )


@pytest.mark.parametrize("with_code", [True, False])
@table("complaints")
def test_what_does_not_build(name: str, kind: K, message: str, file: str, line: int, with_code: bool) -> None:
    output = outputs()[name]
    failure = failure_of(shell(output.command, output.text, output.exit_code if with_code else None))
    assert (failure.kind, failure.type, failure.language) == (kind, "CompileError", "go")
    assert failure.message.startswith(message)
    assert (failure.frames[-1].file, failure.frames[-1].line) == (file, line)


ALL = ["TestFathoms", "TestFathoms/deep_water", "TestDiff"]
REPORTS = [
    pytest.param("go/test_failing", ALL, {"failed": 3}, id="plain"),
    pytest.param("go/test_verbose", ALL, {"failed": 3, "passed": 4, "skipped": 1}, id="verbose"),
    pytest.param("go/test_json", ALL, {"failed": 3, "passed": 4, "skipped": 1}, id="json"),
]


@pytest.mark.parametrize(("name", "tests", "counts"), REPORTS)
def test_failing_run(name: str, tests: list[str], counts: dict[str, int]) -> None:
    result = go_test.parse(outputs()[name].text)
    assert (result.failed, result.failing_tests, result.counts) == (True, tests, counts)
    assert [
        (trace.message, trace.frames[-1].file, trace.frames[-1].line, trace.frames[-1].function)
        for trace in result.traces
    ] == [
        ("fathoms(8) = 4, want 5", "keel_test.go", 12, "TestFathoms/deep_water"),
        ("mismatch (-want +got): -1 +2", "keel_test.go", 20, "TestDiff"),
    ]


def test_a_panicking_test_is_read_with_the_others() -> None:
    result = go_test.parse(outputs()["go/test_panics"].text)
    assert result.failing_tests == [*ALL, "TestZBelow"]
    panic = result.traces[-1]
    assert (panic.type, panic.message) == ("panic", "no negative depth: -1")
    assert [frame.function for frame in panic.frames] == [
        "testing.(*T).Run",
        "testing.tRunner",
        "keel.TestZBelow",
        "keel.Fathoms",
    ]


def test_a_timeout_names_the_test_that_ran() -> None:
    failure = failure_of(shell("go test -timeout 1s .", outputs()["go/test_timeout"].text, 1))
    assert (failure.kind, failure.type, failure.message) == (K.TIMEOUT, "panic", "test timed out after 1s")
    assert failure.failing_tests == ("TestSlow",)
    assert ("keel.TestSlow", 27) in [(frame.function, frame.line) for frame in failure.frames]


@pytest.mark.parametrize("name", ["go/test_json_passing", "go/test_fail_then_pass", "go/passing"])
def test_passing_run(name: str) -> None:
    output = outputs()[name]
    assert go_test.recognises(output.text)
    assert not go_test.parse(output.text).failed
    assert shell(output.command, output.text, output.exit_code).status is Status.OK


TESTIFY = """--- FAIL: TestCrew (0.00s)
    crew_test.go:14:\x20
        \tError Trace:\t/home/dev/quay/helpers_test.go:8
        \t            \t\t\t/home/dev/quay/crew_test.go:14
        \tError:      \tNot equal:\x20
        \t            \texpected: 6
        \t            \tactual  : 7
        \tTest:       \tTestCrew
        \tMessages:   \tafter mooring
FAIL
FAIL\texample.org/quay\t0.002s
FAIL
"""


def test_an_assertion_library_s_block_is_read() -> None:
    [trace] = go_test.parse(TESTIFY).traces
    assert trace.message == "Not equal: expected: 6 actual : 7"
    assert [(frame.file, frame.line) for frame in trace.frames] == [("crew_test.go", 14)]


def logged(*messages: str) -> str:
    """A verbose report of a failing test that logged these."""
    lines = [f"    tide_test.go:{10 + number}: {message}" for number, message in enumerate(messages)]
    return "\n".join(
        ["=== RUN   TestTide", *lines, "--- FAIL: TestTide (0.10s)", "FAIL", "FAIL\texample.org/quay\t0.1s"]
    )


@pytest.mark.parametrize(
    ("messages", "line"),
    [
        pytest.param(["gates opened", "tide at noon: 3", "Low = 52, want 0", "Share = 7, want 100"], 12, id="want"),
        pytest.param(["gates opened", "low water", "the pier is under water"], 12, id="the last, which ended it"),
        pytest.param(["Low() should be 3", "gates closed"], 10, id="should"),
        pytest.param(["gates opened", "moor: err = no berth"], 11, id="an error value"),
    ],
)
def test_what_a_test_logs_is_no_complaint(messages: list[str], line: int) -> None:
    [trace] = go_test.parse(logged(*messages)).traces
    assert trace.frames[-1].line == line
    assert trace.message == messages[line - 10]


@pytest.mark.parametrize("name", ["go/test_failing", "go/test_verbose", "go/test_panics", "go/test_json", "go/run_nil"])
def test_line_ends_colours_and_cuts(name: str) -> None:
    output = outputs()[name]
    whole = failure_of(shell(output.command, output.text))
    assert failure_of(shell(output.command, output.text.replace("\n", "\r\n"))) == whole
    assert failure_of(shell(output.command, "\x1b[31m" + output.text.replace("FAIL", "\x1b[1mFAIL\x1b[0m"))) == whole
    for cut in (
        output.text[: len(output.text) * 3 // 4],
        "... [1200 chars elided] ...\n" + output.text[len(output.text) // 3 :],
    ):
        assert shell(output.command, cut, 1).status is Status.ERROR


PIECES = sorted(
    {line for name in outputs() if name.startswith("go/") for line in plain(outputs()[name].text).split("\n")[:60]}
)


@pytest.mark.slow
@examples(150)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=30).map("\n".join))
def test_any_mix_of_lines_is_read(text: str) -> None:
    go_test.recognises(text)
    result = go_test.parse(text)
    assert result.failed or not (result.failing_tests or result.traces)
    assert all(trace.end <= len(text) + 1 for trace in BY_NAME["go"].traces(text))
