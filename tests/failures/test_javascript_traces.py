"""JavaScript: uncaught errors, and traces that were cut."""

from __future__ import annotations

import pytest

from analyzer.failures.traces import RawFrame, StackTrace, javascript
from tests.failures.recorded import outputs
from tests.tables import table


def last(text: str) -> StackTrace:
    return javascript.traces(text)[-1]


@table("uncaught")
def test_uncaught_errors(name: str, error: str, message: str, raised: tuple[str, int, str | None, str | None]) -> None:
    trace = last(outputs()[name].text)
    assert (trace.type, trace.message, trace.frames[-1]) == (error, message, RawFrame(*raised))


def test_frames_without_a_file_end_no_trace() -> None:
    text = (
        "TypeError: no oar\n    at row (boat.js:2:3)\n    at Array.map (<anonymous>)\n    at async Promise.all "
        "(index 0)\n    at sail (boat.js:9:1)\n"
    )
    assert [(frame.function, frame.line) for frame in last(text).frames] == [("sail", 9), ("row", 2)]


def test_a_cause_comes_last() -> None:
    text = (
        "Error: lost\n    at sail (boat.js:9:1) {\n  [cause]: RangeError: no berth 7\n      at moor (quay.js:2:3)\n}\n"
    )
    assert [trace.type for trace in javascript.traces(text)] == ["Error", "RangeError"]


def test_a_trace_without_its_head() -> None:
    trace = last("    at row (boat.js:2:3)\n    at sail (boat.js:9:1)\nwent on\n")
    assert (trace.type, [frame.line for frame in trace.frames]) == (None, [9, 2])


def test_a_gap_in_a_trace() -> None:
    text = "Error: lost\n    at row (boat.js:2:3)\n... [1200 chars elided] ...\n    at sail (boat.js:9:1)\n"
    assert [frame.line for frame in last(text).frames] == [9, 2]


@pytest.mark.parametrize(
    "text", ["An Error is thrown\nat once: boat.js:2:3\n", "    at 12:00:01 the tide rose\n", "Error: fog\nwent on\n"]
)
def test_prose_is_no_trace(text: str) -> None:
    assert javascript.traces(text) == []
