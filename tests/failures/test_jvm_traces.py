"""Stack traces of the Java virtual machine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.roles import role_of
from analyzer.failures.traces.jvm import causes, traces
from analyzer.model.words import FrameRole as R
from tests.failures.recorded import outputs

NULL = 'Cannot invoke "java.lang.Integer.intValue()" because the return value of "java.util.Map.get(Object)" is null'
LAST = [
    pytest.param(
        "java/cause",
        "java.lang.NullPointerException",
        NULL,
        ["Log.main", "Log.sail", "Log.knots"],
        id="cause-of-a-cause",
    ),
    pytest.param("java/suppressed", "java.lang.RuntimeException", "compass", ["Log.main", "Log.sail"], id="suppressed"),
    pytest.param(
        "java/future",
        "java.lang.NullPointerException",
        NULL,
        ["Thread.run", "CompletableFuture$AsyncSupply.run", "Log.lambda$sail$0", "Log.knots"],
        id="future",
    ),
    pytest.param(
        "java/thread",
        "java.lang.NullPointerException",
        NULL,
        ["Thread.run", "Log.lambda$sail$1", "Log.knots"],
        id="thread",
    ),
    pytest.param(
        "java/caught", "java.lang.NullPointerException", NULL, ["Log.main", "Log.sail", "Log.knots"], id="caught"
    ),
    pytest.param(
        "javac/run",
        "java.lang.IndexOutOfBoundsException",
        "Index 7 out of bounds for length 0",
        [
            "Dive.main",
            "Dive.dive",
            "ArrayList.get",
            "Objects.checkIndex",
            "Preconditions.checkIndex",
            "Preconditions.outOfBoundsCheckIndex",
            "Preconditions.outOfBounds",
        ],
        id="default-package",
    ),
    pytest.param(
        "kotlin/run",
        "java.lang.IllegalArgumentException",
        "no such leg: x",
        ["LogKt.main", "LogKt.main", "LogKt.sail$default", "LogKt.sail"],
        id="kotlin",
    ),
]


@pytest.mark.parametrize(("name", "kind", "message", "functions"), LAST)
def test_the_first_cause_comes_last(name: str, kind: str, message: str, functions: list[str]) -> None:
    trace = traces(outputs()[name].text)[-1]
    assert (trace.type, trace.message) == (kind, message)
    assert [frame.function for frame in trace.frames] == functions
    assert causes(outputs()[name].text)[-1] == trace


def test_a_chain_is_one_trace_per_part_in_the_order_printed() -> None:
    found = traces(outputs()["java/cause"].text)
    assert [(trace.type or "").rsplit(".", 1)[-1] for trace in found] == [
        "RuntimeException",
        "IllegalStateException",
        "NullPointerException",
    ]


def test_a_cause_has_the_frames_that_it_shares_with_what_it_caused() -> None:
    trace = traces(outputs()["java/cause"].text)[-1]
    assert [(frame.file, frame.line) for frame in trace.frames] == [
        ("ferry/Log.java", 52),
        ("ferry/Log.java", 21),
        ("ferry/Log.java", 14),
    ]


def test_a_message_of_several_lines_is_known_by_its_first() -> None:
    assert traces(outputs()["java/suppressed"].text)[0].message == "bad heading"


def test_a_message_that_starts_on_the_next_line_is_joined() -> None:
    [trace] = traces(
        "org.opentest4j.AssertionFailedError: \nexpected: 7\n but was: 6\n\tat quay.BoatTest.crew(BoatTest.java:5)\n"
    )
    assert trace.message == "expected: 7 but was: 6"


def test_a_trace_says_where_it_ends() -> None:
    text = outputs()["java/caught"].text
    assert text[traces(text)[0].end :].startswith("one\n")


def test_frames_inside_an_assertion_are_kept() -> None:
    [trace] = traces(
        "java.lang.AssertionError\n\tat org.junit.Assert.fail(Assert.java:89)\n\tat "
        "quay.BoatTest.crew(BoatTest.java:5)\n"
    )
    assert [frame.function for frame in trace.frames] == ["BoatTest.crew", "Assert.fail"]


WHAT_THERE_IS = [
    pytest.param(
        "\tat quay.Boat.sail(Boat.java:3)\n\tat quay.Boat.main(Boat.java:9)\n",
        [(None, ["Boat.main", "Boat.sail"])],
        id="head-cut",
    ),
    pytest.param(
        'Exception in thread "main" quay.Adrift: no wind\n', [("quay.Adrift", [])], id="tail-cut-after-the-message"
    ),
    pytest.param(
        "quay.Adrift: no wind\n\tat quay.Boat.sail(Boat.java:3)\n\tat qu",
        [("quay.Adrift", ["Boat.sail"])],
        id="tail-cut",
    ),
    pytest.param(
        (
            "quay.Adrift: a\n\tat quay.Boat.sail(Boat.java:3)\n... [1200 chars elided] ...\n\tat "
            "quay.Boat.main(Boat.java:9)\n"
        ),
        [("quay.Adrift", ["Boat.main", "Boat.sail"])],
        id="middle-cut",
    ),
    pytest.param(
        "quay.Adrift: a\n\tat quay.Boat.sail(Boat.java:3)\nDEBUG tick\n\tat quay.Boat.main(Boat.java:9)\n",
        [("quay.Adrift", ["Boat.main", "Boat.sail"])],
        id="interleaved",
    ),
    pytest.param(
        "\t... 3 more\nCaused by: quay.Adrift: a\n\tat quay.Boat.sail(Boat.java:3)\n",
        [("quay.Adrift", ["Boat.sail"])],
        id="only-the-cause",
    ),
    pytest.param(
        "quay.Adrift\n    at app//quay.Boat.sail(Boat.java:3) ~[quay.jar:1.0]\n",
        [("quay.Adrift", ["Boat.sail"])],
        id="loader-and-jar",
    ),
    pytest.param(
        "quay.Adrift\n\tat quay.BoatTest.floats when light(BoatTest.kt:7)\n",
        [("quay.Adrift", ["BoatTest.floats when light"])],
        id="name-with-spaces",
    ),
    pytest.param(
        "quay.Adrift\n\tat quay.Boat$$Lambda/0x00007f1.run(Unknown Source)\n",
        [("quay.Adrift", ["Boat$$Lambda.run"])],
        id="hidden-class",
    ),
    pytest.param(
        "[ERROR] quay.Adrift: a\n[ERROR] \tat quay.Boat.sail(Boat.java:3)\n",
        [("quay.Adrift", ["Boat.sail"])],
        id="in-a-log",
    ),
    pytest.param(
        "quay.Adrift: a\n\n    at quay.Boat.sail (Boat.java:3)\n",
        [("quay.Adrift", ["Boat.sail"])],
        id="as-maven-writes-them",
    ),
    pytest.param("Error: x\n    at sail (boat.js:1:2)\n", [], id="javascript"),
    pytest.param("System.X: a\n   at Quay.Boat.Sail() in /quay/Boat.cs:line 3\n", [], id="dotnet"),
    pytest.param("look at Boat.java:3 (Boat.java:3)", [], id="prose"),
]


@pytest.mark.parametrize(("text", "expected"), WHAT_THERE_IS)
def test_what_there_is_is_read(text: str, expected: list[tuple[str | None, list[str]]]) -> None:
    assert [(trace.type, [frame.function for frame in trace.frames]) for trace in traces(text)] == expected


@pytest.mark.parametrize(
    ("file", "role"),
    [
        ("ferry/FerryTest.java", R.TEST),
        ("ferry/Ferry.java", R.PROJECT),
        ("ferry/CrossingIT.java", R.TEST),
        ("java/util/ArrayList.java", R.STDLIB),
        ("jdk/internal/util/Preconditions.java", R.STDLIB),
        ("kotlin/collections/_Collections.kt", R.STDLIB),
        ("kotlin/test/Assertions.kt", R.RUNNER),
        ("org/junit/jupiter/api/Assertions.java", R.RUNNER),
        ("org/gradle/internal/Worker.java", R.RUNNER),
        ("java/ferry/Ferry.java", R.PROJECT),
        ("org/springframework/beans/BeanUtils.java", R.LIBRARY),
    ],
)
def test_roles(file: str, role: R) -> None:
    assert role_of(file) is role


PIECES = [
    "\tat a.B.c(B.java:1)\n",
    "    at a.B.c(Native Method)\n",
    "a.B: c\n",
    "Caused by: a.B: c\n",
    "\tCaused by: a.B\n",
    "\tSuppressed: a.B\n",
    "\t... 999999 more\n",
    'Exception in thread "a" b.C\n',
    "\n",
    "x",
    "\t",
    "[ERROR] ",
    "... [90 chars elided] ...\n",
    "\r\n",
    "(",
    "at ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_nothing_breaks_it(text: str) -> None:
    assert all(trace.frames or trace.type for trace in traces(text))
    causes(text)
