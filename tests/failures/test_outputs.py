"""What true outputs of runners, compilers and languages are read as: tests/data/outputs/EXPECTED.md has a row for each
with the kind, type and beginning of its message, the place, the failing tests and the counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.readers.errors import PARSERS
from analyzer.failures.runners import go_test
from analyzer.failures.runners.table import RUNNERS, Runner
from analyzer.failures.traces import StackTrace
from analyzer.failures.traces.table import LANGUAGES
from analyzer.model.words import Status, StatusSource
from analyzer.text.plain import plain
from tests.drawn import examples
from tests.failures.recorded import OUTPUTS, failure_of, outputs, shell

_MESSAGE = 60
ROWS = dict(
    row.split(" | ", 1) for row in (OUTPUTS / "EXPECTED.md").read_text(encoding="utf-8").splitlines() if row.strip()
)
BY_NAME = {runner.NAME: runner for runner in RUNNERS}
NEED_THEIR_CODE = {
    *("bash/kill_self", "bash/needs", "bash/timeout", "bash/xtrace_fails", "gcc/abort", "gcc/crash"),
    *("git/nothing_to_commit", "pytest/nothing_ran", "python/leaves"),
    *("java/caught", "mono/caught", "sanitizers/undefined"),
}
"""Outputs that don't say by themselves whether something failed; the exit code does."""


def read_as(name: str, text: str) -> str:
    output = outputs()[name]
    failure = shell(output.command, text, output.exit_code).failure
    if failure is None:
        return "-"
    raised = failure.frames[-1] if failure.frames else None
    place = "" if raised is None else raised.file if raised.line is None else f"{raised.file}:{raised.line}"
    message = " ".join(failure.message.split())[:_MESSAGE].strip()
    counts = " ".join(f"{word} {count}" for word, count in failure.counts.items())
    parts = [failure.kind.value, str(failure.type), message, place, ", ".join(failure.failing_tests), counts]
    return " | ".join(parts).rstrip(" |")


def test_every_recorded_output_is_listed() -> None:
    files = {str(path.relative_to(OUTPUTS).with_suffix("").as_posix()) for path in OUTPUTS.rglob("*.txt")}
    assert set(outputs()) == files


@pytest.mark.parametrize("name", ROWS)
def test_outputs(name: str) -> None:
    output = outputs()[name]
    assert read_as(name, output.text) == ROWS[name]
    verdict = shell(output.command, output.text, output.exit_code)
    assert verdict.status is (Status.OK if ROWS[name] == "-" else Status.ERROR)
    # An exit code that says the same is what the verdict rests on.
    agrees = (ROWS[name] != "-") == (output.exit_code != 0)
    assert verdict.source is (StatusSource.RECORDED if agrees else StatusSource.INFERRED)
    if verdict.failure is not None:
        assert verdict.failure.recorded is agrees


@pytest.mark.parametrize("name", sorted(set(ROWS) - NEED_THEIR_CODE))
def test_outputs_without_their_exit_code(name: str) -> None:
    output = outputs()[name]
    verdict = shell(output.command, output.text)
    assert verdict.source is StatusSource.INFERRED
    if ROWS[name] == "-":
        assert verdict.failure is None
        assert verdict.status is (Status.UNKNOWN if name == "tsc/passing" else Status.OK)
        return
    failure, coded = failure_of(verdict), failure_of(shell(output.command, output.text, output.exit_code))
    assert verdict.status is Status.ERROR
    assert (failure.kind, failure.type, failure.message) == (coded.kind, coded.type, coded.message)
    assert not failure.recorded


@pytest.mark.parametrize("name", ["maven/failing", "cargo/failing", "dotnet/xunit", "java/cause", "rspec/failing"])
def test_line_ends_and_colours_change_nothing(name: str) -> None:
    text = outputs()[name].text
    assert read_as(name, text.replace("\n", "\r\n")) == ROWS[name]
    assert read_as(name, f"\x1b[1m{text}\x1b[0m") == ROWS[name]


CUT = [
    pytest.param("jest", "jest/failing", None, "Test Suites:", id="jest's end"),
    pytest.param("vitest", "vitest/failing", None, " Test Files", id="vitest's end"),
    pytest.param("node --test", "node/test_nested", None, "# tests", id="node's end"),
    pytest.param("maven", "maven/failing", None, "[INFO] Results", id="maven's end"),
    pytest.param("jest", "jest/failing", "  ● harbour › has many", None, id="jest's head"),
    pytest.param("mocha", "mocha/failing", "  1 passing", None, id="mocha's head"),
    pytest.param("minitest", "minitest/failing", "  1) Error", None, id="minitest's head"),
]


@pytest.mark.parametrize(("runner", "name", "start", "end"), CUT)
def test_reports_that_were_cut(runner: str, name: str, start: str | None, end: str | None) -> None:
    text = plain(outputs()[name].text)
    rest = text[text.index(start) if start else 0 : text.index(end) if end else len(text)]
    assert BY_NAME[runner].recognises(rest)
    found = BY_NAME[runner].parse(rest)
    assert found.failed
    assert found.traces


def test_the_counts_of_workspaces_are_added_up() -> None:
    text = "Tests: 1 failed, 2 passed, 3 total\nTests: 4 passed, 4 total\n"
    assert BY_NAME["jest"].parse(text).counts == {"failed": 1, "passed": 6}


def test_the_last_of_two_runs_counts() -> None:
    text = "2 examples, 1 failure\n\nrspec ./a_spec.rb:3 # a\n2 examples, 0 failures\n"
    found = BY_NAME["rspec"].parse(text)
    assert (found.failed, found.counts) == (False, {"passed": 2})


def test_a_console_launcher_s_trace_has_no_at() -> None:
    text = (
        "  JUnit Jupiter:BerthTest:keepsLength()\n"
        "    MethodSource [className = 'harbour.BerthTest', methodName = 'keepsLength', methodParameterTypes = '']\n"
        "    => java.lang.IllegalArgumentException: berth code A12 has no dash\n"
        "       harbour.Berth.<init>(Berth.java:11)\n       harbour.BerthTest.keepsLength(BerthTest.java:11)\n"
        "       [...]\n\nTest run finished after 335 ms\n[         1 tests failed          ]\n"
    )
    found = BY_NAME["junit"].parse(text)
    assert (found.failing_tests, found.counts) == (["BerthTest:keepsLength()"], {"failed": 1})
    [trace] = found.traces
    assert (trace.type, trace.message) == ("java.lang.IllegalArgumentException", "berth code A12 has no dash")
    assert [(frame.file, frame.line) for frame in trace.frames] == [
        ("harbour/BerthTest.java", 11),
        ("harbour/Berth.java", 11),
    ]


@pytest.mark.parametrize("runner", RUNNERS, ids=lambda runner: runner.NAME)
def test_hints_of_runners(runner: Runner) -> None:
    texts = [plain(output.text) for output in outputs().values()]
    assert all(runner.hints.any_within(text) for text in texts if runner.recognises(text))


PIECES = sorted(
    {line for output in outputs().values() for line in plain(output.text).split("\n")[:40] if 0 < len(line) < 200}
)
LINES = st.one_of(
    st.sampled_from(PIECES),
    st.text(max_size=20),
    st.sampled_from(
        ["", "... [1200 chars elided] ...", "    at ", "Stack trace:", "  1) ", "\tfrom ", "Caused by: a.B"]
    ),
)


def assert_sound(trace: StackTrace, text: str) -> None:
    assert trace.end <= len(text) + 1
    assert all(frame.file is not None and (frame.line is None or frame.line >= 0) for frame in trace.frames)


@pytest.mark.slow
@examples(150)
@given(st.lists(LINES, max_size=30).map("\n".join))
def test_any_mix_of_lines_is_read(text: str) -> None:
    for runner in (go_test.parse, *(row.parse for row in RUNNERS)):
        result = runner(text)
        assert result.failed or not (result.failing_tests or result.traces)
        assert len(set(result.failing_tests)) == len(result.failing_tests)
    for parser in (*LANGUAGES, *(parser for parser, _ in PARSERS)):
        for trace in parser.traces(text):
            assert_sound(trace, text)
