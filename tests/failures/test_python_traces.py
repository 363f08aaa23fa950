"""Python tracebacks as the interpreter prints them."""

from __future__ import annotations

import pytest

from analyzer.failures.traces.python import traces
from tests.failures.recorded import outputs

ONE = [
    pytest.param(
        "python/plain",
        "ValueError",
        "need at least 4 stations, got 2",
        ["<module>", "main", "fitted", "__init__"],
        id="plain",
    ),
    pytest.param(
        "python/many_lines", "ValueError", "2 errors in the log book", ["<module>"], id="message-of-several-lines"
    ),
    pytest.param(
        "python/empty_first_line",
        "ValueError",
        "the chart is empty",
        ["<module>"],
        id="message-starts-on-the-next-line",
    ),
    pytest.param("python/no_message", "Adrift", "", ["<module>"], id="no-message"),
    pytest.param("python/notes", "KeyError", "'north'", ["<module>"], id="notes"),
    pytest.param(
        "python/deep",
        "RecursionError",
        "maximum recursion depth exceeded",
        ["<module>", "dive", "dive", "dive"],
        id="recursion",
    ),
    pytest.param("python/group", "ExceptionGroup", "two leaks (2 sub-exceptions)", ["<module>"], id="group"),
    pytest.param("python/from_stdin", "ZeroDivisionError", "division by zero", ["<module>", "f"], id="stdin"),
    pytest.param("python/thread", "RuntimeError", "oar lost", ["_bootstrap_inner", "run", "row"], id="thread"),
    pytest.param(
        "python/imports_broken", "SyntaxError", "invalid syntax", ["<module>", None], id="syntax-error-of-an-import"
    ),
    pytest.param("python/bad_syntax", "SyntaxError", "invalid syntax", [None], id="syntax-error"),
    pytest.param(
        "python/bad_indent",
        "IndentationError",
        "expected an indented block after function definition on line 1",
        [None],
        id="indentation-error",
    ),
    pytest.param("python/missing", "ModuleNotFoundError", "No module named 'sextant'", ["<module>"], id="no-module"),
]


@pytest.mark.parametrize(("name", "kind", "message", "functions"), ONE)
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


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("Traceback (most recent call last):", id="header-only"),
        pytest.param("Traceback (most recent call last):\n\n\nnothing more", id="header-and-prose"),
        pytest.param("See the Traceback (most recent call last) above", id="prose"),
        pytest.param("raise ValueError('x')\nValueError: x", id="error-line-only"),
        pytest.param('File "a.py", line 3', id="frame-only"),
        pytest.param(
            'Traceback (most recent call last):\n  File "a.py", line ' + "9" * 5_000 + ", in sail\n",
            id="absurd-line-number",
        ),
    ],
)
def test_no_traceback(text: str) -> None:
    assert traces(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "functions"),
    [
        pytest.param(
            'Traceback (most recent call last):\n  File "a.py", line 3, in sail\n    row()',
            None,
            ["sail"],
            id="tail-cut",
        ),
        pytest.param(
            'Traceback (most recent call last):\n  File "a.py", line 3, in sail\n... [90 chars elided] ...\n',
            None,
            ["sail"],
            id="middle-cut",
        ),
        pytest.param(
            (
                'Traceback (most recent call last):\n  File "a.py", line 3, in sail\n    row()\n             '
                "^^^\nOSError: wet\n"
            ),
            "OSError",
            ["sail"],
            id="carets",
        ),
        pytest.param(
            (
                '    Traceback (most recent call last):\n      File "a.py", line 3, in sail\n        row()\n    '
                "OSError: wet\n"
            ),
            "OSError",
            ["sail"],
            id="indented",
        ),
        pytest.param(
            'ERROR boat Traceback (most recent call last):\n  File "a.py", line 3, in sail\nOSError: wet\n',
            "OSError",
            ["sail"],
            id="behind-a-log-line",
        ),
        pytest.param(
            'Traceback (most recent call last):\n  File "a.py", line 3, in sail\nquay.errors.Adrift\n',
            "quay.errors.Adrift",
            ["sail"],
            id="dotted-type",
        ),
        pytest.param(
            'Traceback (most recent call last):\n  File "a b/c.py", line 3, in Boat.sail.<locals>.<lambda>\nOSError\n',
            "OSError",
            ["Boat.sail.<locals>.<lambda>"],
            id="odd-names",
        ),
    ],
)
def test_what_there_is_is_read(text: str, kind: str | None, functions: list[str]) -> None:
    found = traces(text)
    assert [(trace.type, [frame.function for frame in trace.frames]) for trace in found] == [(kind, functions)]
