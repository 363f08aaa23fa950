"""Python tracebacks as the interpreter prints them."""

from __future__ import annotations

from analyzer.failures.traces.python import traces
from tests.failures.recorded import outputs
from tests.tables import table


@table("one")
def test_one_traceback(name: str, kind: str, message: str, functions: list[str | None]) -> None:
    [trace] = traces(outputs()[name].text)
    assert (trace.type, trace.message) == (kind, message)
    assert [frame.function for frame in trace.frames] == functions


def test_frames_have_file_line_and_code() -> None:
    [trace] = traces(outputs()["python/plain"].text)
    last = trace.frames[-1]
    assert (last.file, last.line, last.code) == ("/home/dev/tides/tides/curve.py", 8, "raise ValueError(")
    assert trace.frames[2].code == "return Curve(degree, stations=readings)"


def test_a_chain_is_one_trace_per_part_in_the_order_printed() -> None:
    found = traces(outputs()["python/chained"].text)
    assert [trace.type for trace in found] == ["json.decoder.JSONDecodeError", "RuntimeError", "KeyError"]
    assert [len(trace.frames) for trace in found] == [4, 2, 1]


def test_a_trace_says_where_it_ends() -> None:
    text = outputs()["python/caught"].text
    [trace] = traces(text)
    assert text[trace.end :].strip() == "caught it, as it should be"


def test_members_of_a_group_that_were_raised_are_traces_too() -> None:
    text = """  + Exception Group Traceback (most recent call last):
  |   File "sail.py", line 9, in <module>
  |     sail()
  | ExceptionGroup: two leaks (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "sail.py", line 3, in bow
    |     raise ValueError("bow")
    | ValueError: bow
    +------------------------------------
"""
    assert [(trace.type, trace.frames[-1].function) for trace in traces(text)] == [
        ("ExceptionGroup", "<module>"),
        ("ValueError", "bow"),
    ]


@table("no_traceback")
def test_no_traceback(text: str) -> None:
    assert traces(text) == []


@table("what_there_is_is_read")
def test_what_there_is_is_read(text: str, kind: str | None, functions: list[str]) -> None:
    found = traces(text)
    assert [(trace.type, [frame.function for frame in trace.frames]) for trace in found] == [(kind, functions)]
