"""Stack traces of .NET and of Mono."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.roles import role_of
from analyzer.failures.traces.dotnet import causes, traces
from analyzer.model.words import FrameRole as R
from tests.failures.recorded import outputs

LAST = [
    pytest.param(
        "dotnet/unhandled",
        "System.FormatException",
        "The input string 'heavy' was not in a correct format.",
        ["Program.Main", "<>c.<Main>b__0_0", "Deck.Fare", "Int32.Parse", "Number.ThrowFormatException[TChar]"],
        id="inner",
    ),
    pytest.param(
        "mono/inner",
        "System.FormatException",
        "Input string was not in a correct format.",
        ["Program.Main", "Deck.Fare", "Int32.Parse", "Number.ParseInt32", "Number.ThrowOverflowOrFormatException"],
        id="mono-inner",
    ),
    pytest.param(
        "mono/caught",
        "System.ArgumentOutOfRangeException",
        "Index was out of range. Must be non-negative and less than the size of the collection.",
        ["Program.Main", "Deck.Last", "List`1[T].get_Item"],
        id="mono-caught",
    ),
]


@pytest.mark.parametrize(("name", "kind", "message", "functions"), LAST)
def test_the_first_cause_comes_last(name: str, kind: str, message: str, functions: list[str]) -> None:
    trace = traces(outputs()[name].text)[-1]
    assert (trace.type, trace.message) == (kind, message)
    assert [frame.function for frame in trace.frames] == functions
    assert causes(outputs()[name].text)[-1] == trace


def test_frames_have_file_and_line_where_they_are_shown() -> None:
    outer, inner = traces(outputs()["dotnet/unhandled"].text)
    assert (outer.type, outer.frames[-1].line, outer.frames[-1].file) == (
        "System.ArgumentException",
        14,
        "/home/dev/ferry/net/Ferry/Deck.cs",
    )
    assert [frame.line for frame in inner.frames] == [12, 9, 10, None, None]
    assert inner.frames[-1].file == "System.Number"


def test_exceptions_that_an_aggregate_repeats_are_read_once() -> None:
    text = outputs()["mono/task"].text
    found = traces(text[: text.index("[ERROR] FATAL")])
    assert [trace.type for trace in found] == ["System.AggregateException", "System.ArgumentOutOfRangeException"]


WHAT_THERE_IS = [
    pytest.param("   at Quay.Boat.Sail() in C:\\quay\\Boat.cs:line 3\n", [(None, ["Boat.Sail"])], id="head-cut"),
    pytest.param("Unhandled exception. Quay.Adrift: no wind\n", [("Quay.Adrift", [])], id="tail-cut-after-the-message"),
    pytest.param(
        "Quay.AdriftException: a\n   at Quay.Boat.Sail() in /q/Boat.cs:line 3\nDEBUG tick\n   at Quay.Boat.Main()\n",
        [("Quay.AdriftException", ["Boat.Main", "Boat.Sail"])],
        id="interleaved",
    ),
    pytest.param(
        (
            "Quay.AdriftException: a\n   at Quay.Boat.Sail() in /q/Boat.cs:line 3\n... [90 chars elided] ...\n   at "
            "Quay.Boat.Main()\n"
        ),
        [("Quay.AdriftException", ["Boat.Main", "Boat.Sail"])],
        id="middle-cut",
    ),
    pytest.param(
        (
            "Quay.AdriftException: a\n   at Quay.Boat.<SailAsync>d__3.MoveNext() in /q/Boat.cs:line 3\n--- End of "
            "stack trace from previous location ---\n   at Quay.Boat.Main()\n"
        ),
        [("Quay.AdriftException", ["Boat.Main", "Boat.SailAsync"])],
        id="async",
    ),
    pytest.param("Error: x\n    at sail (boat.js:1:2)\n", [], id="javascript"),
    pytest.param("a.B: x\n\tat a.B.c(B.java:1)\n\tat a.B.c(Native Method)\n", [], id="java"),
]


@pytest.mark.parametrize(("text", "expected"), WHAT_THERE_IS)
def test_what_there_is_is_read(text: str, expected: list[tuple[str | None, list[str]]]) -> None:
    assert [(trace.type, [frame.function for frame in trace.frames]) for trace in traces(text)] == expected


@pytest.mark.parametrize(
    ("file", "role"),
    [
        ("System.Int32", R.STDLIB),
        ("Microsoft.Extensions.Hosting.Host", R.STDLIB),
        ("Xunit.Assert", R.RUNNER),
        ("Ferry.Deck", R.PROJECT),
        ("/home/dev/ferry/Ferry/Deck.cs", R.PROJECT),
        ("C:\\ferry\\Ferry.Tests\\DeckTests.cs", R.TEST),
        ("Newtonsoft.Json.JsonConvert", R.LIBRARY),
    ],
)
def test_roles(file: str, role: R) -> None:
    assert role_of(file) is role


PIECES = [
    "   at A.B.C() in /a/B.cs:line 1\n",
    "  at A.B.C (System.Int32 x) [0x00001] in <ab>:0 \n",
    "A.BException: c",
    " ---> A.BException: c\n",
    "\n",
    "Unhandled exception. A.B: c\n",
    "   --- End of inner exception stack trace ---\n",
    "---> (Inner Exception #0) A.BException: c\n",
    "<---\n",
    "\r\n",
    "x",
    "at (",
    ")",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_nothing_breaks_it(text: str) -> None:
    assert all(trace.frames or trace.type for trace in traces(text))
    causes(text)
