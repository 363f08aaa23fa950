"""Reports and traces arrive cut, coloured, with other line ends or mixed with other output: whatever is left, nothing
crashes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.runners.registry import REPORTS as ENTRIES
from analyzer.failures.trace import RunResult, Trace
from analyzer.failures.traces import javascript, php, ruby
from analyzer.text.plain import plain
from tests.drawn import examples
from tests.failures.recorded import outputs

REPORTS = [entry.load() for entry in ENTRIES]
PARSED = {report.NAME: report for report in REPORTS}
NAMES = [
    name
    for name in outputs()
    if name.split("/")[0] in ("jest", "vitest", "mocha", "node", "ruby", "rspec", "minitest", "php", "phpunit")
]
PIECES = sorted({line for name in NAMES for line in plain(outputs()[name].text).split("\n")[:60] if line.strip()})
LINES = st.one_of(
    st.sampled_from(PIECES),
    st.text(max_size=20),
    st.sampled_from(["", "... [1200 chars elided] ...", "    at ", "Stack trace:", "  1) ", "\tfrom "]),
)


def assert_sound_trace(trace: Trace) -> None:
    assert isinstance(trace.message, str)
    assert all(frame.file and (frame.line is None or frame.line >= 0) for frame in trace.frames)


def assert_sound(result: RunResult) -> None:
    assert result.failed or not (result.failing_tests or result.traces)
    assert len(set(result.failing_tests)) == len(result.failing_tests)
    for trace in result.traces:
        assert_sound_trace(trace)


def read_all(text: str) -> None:
    for report in REPORTS:
        report.recognises(text)
        assert_sound(report.parse(text))
    for parser in (javascript, ruby, php):
        for trace in parser.traces(text):
            assert_sound_trace(trace)
            assert trace.end <= len(text) + 1


@pytest.mark.slow
@examples(150)
@given(st.lists(LINES, max_size=30).map("\n".join))
def test_any_mix_of_lines_is_read(text: str) -> None:
    read_all(text)


@examples(100)
@given(st.sampled_from(NAMES), st.integers(0, 3_000), st.integers(0, 3_000))
def test_any_cut_is_read(name: str, head: int, tail: int) -> None:
    text = plain(outputs()[name].text)
    read_all(text[head : max(head, len(text) - tail)])


def recognised(text: str) -> str | None:
    return next((report.NAME for report in REPORTS if report.recognises(text)), None)


@pytest.mark.parametrize("name", NAMES)
def test_other_line_ends_change_nothing(name: str) -> None:
    text = plain(outputs()[name].text)
    runner = recognised(text)
    other = plain(text.replace("\n", "\r\n"))
    assert recognised(other) == runner
    if runner is not None:
        assert PARSED[runner].parse(other) == PARSED[runner].parse(text)


@pytest.mark.parametrize("name", NAMES)
def test_each_report_is_one_runner_s(name: str) -> None:
    text = plain(outputs()[name].text)
    assert sum(report.recognises(text) for report in REPORTS) <= 1
