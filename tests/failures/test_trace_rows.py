"""Stack traces that are read by rows: whole ones, cut ones, and lines that only look like one."""

from __future__ import annotations

import pytest

from analyzer.failures.roles import role_of
from analyzer.failures.traces.table import BY_NAME
from analyzer.model.words import FrameRole as R
from tests.tables import table

TRACES = {
    "java: a cause has the frames that it shares": (
        "java",
        "quay.Lost: a\n\tat quay.Boat.sail(Boat.java:3)\n\tat quay.Boat.main(Boat.java:9)\n"
        "Caused by: quay.Adrift: no wind\n\tat quay.Wind.blow(Wind.java:7)\n\t... 1 more\n",
        ("quay.Adrift", "no wind", ["quay/Boat.java:9", "quay/Wind.java:7"]),
    ),
    "java: what was suppressed is no cause": (
        "java",
        "quay.Lost: a\n\tat quay.Boat.main(Boat.java:9)\n\tSuppressed: quay.Leak: b\n\t\tat quay.Hatch.shut(H.java:1)\n"
        "\tCaused by: quay.Rust\n\t\t... 1 more\nCaused by: quay.Adrift: c\n\t... 1 more\n",
        ("quay.Adrift", "c", ["quay/Boat.java:9"]),
    ),
    "java: a message on the next line": (
        "java",
        "a.TestError: \nexpected: 7\n but was: 6\n\tat quay.BoatTest.crew(BoatTest.java:5)\n",
        ("a.TestError", "expected: 7 but was: 6", ["quay/BoatTest.java:5"]),
    ),
    "java: without its head": ("java", "\tat q.Boat.sail(Boat.java:3)\n", (None, "", ["q/Boat.java:3"])),
    "java: cut behind the message": ("java", 'Exception in thread "main" q.Adrift: a\n', ("q.Adrift", "a", [])),
    "csharp: an inner exception": (
        "csharp",
        "Unhandled exception. Quay.LostException: a\n ---> Quay.DriftException: b\n"
        "   at Quay.Boat.Row() in /q/B.cs:line 3\n"
        "   --- End of inner exception stack trace ---\n   at Quay.Boat.Main() in /q/B.cs:line 9\n",
        ("Quay.DriftException", "b", ["/q/B.cs:9", "/q/B.cs:3"]),
    ),
    "csharp: in the language of the system": (
        "csharp",
        "Quay.LostException: perdido\n   en Quay.Boat.Row() en C:\\q\\B.cs:línea 3\n",
        ("Quay.LostException", "perdido", ["C:\\q\\B.cs:3"]),
    ),
    "csharp: how an assertion is made": (
        "csharp",
        "Xunit.Sdk.EqualException: 7\n   at Xunit.Assert.Equal(Int32 a) in /_/src/A.cs:line 3\n"
        "   at Q.B() in /q/B.cs:line 4\n",
        ("Xunit.Sdk.EqualException", "7", ["/q/B.cs:4"]),
    ),
    "go: what ran while the panic was handed on": (
        "go",
        "panic: sunk [recovered]\n\tpanic: sunk\n\ngoroutine 4 [running]:\ntesting.tRunner.func1.2({0x5, 0x5})\n"
        "\t/go/testing.go:1396 +0x24e\npanic({0x5, 0x5})\n\t/go/panic.go:884 +0x212\n"
        "quay.(*Boat).Row(0x0)\n\t/w/boat.go:9 +0x2e\ncreated by quay.Start\n\t/w/main.go:3 +0x35f\n",
        ("panic", "sunk", ["/w/main.go:3", "/w/boat.go:9"]),
    ),
    "go: the test that ran too long": (
        "go",
        "panic: test timed out after 1s\n\ngoroutine 7 [running]:\ntesting.(*M).startAlarm.func1()\n"
        "\t/go/testing.go:2 +0x8e\n"
        "created by time.goFunc\n\t/go/sleep.go:1 +0x32\n\ngoroutine 6 [sleep]:\ntime.Sleep(0x1)\n"
        "\t/go/time.go:195 +0x1\n"
        "quay.TestSlow(0x0?)\n\t/w/boat_test.go:27 +0x46\n",
        ("panic", "test timed out after 1s", ["/w/boat_test.go:27"]),
    ),
    "rust: an old panic": (
        "rust",
        "thread 'main' panicked at 'no oar', src/boat.rs:3:5\nnote: run with `RUST_BACKTRACE=1`\n",
        ("panic", "no oar", ["src/boat.rs:3"]),
    ),
    "rust: a comparison": (
        "rust",
        "thread 'a' (12) panicked at src/boat.rs:3:5:\nassertion `left == right` failed\n  left: 1\n right: 2\n"
        "note: x\n",
        ("panic", "assertion `left == right` failed left: 1 right: 2", ["src/boat.rs:3"]),
    ),
    "ruby: a cause": (
        "ruby",
        "boat.rb:5:in `sail': lost (ArgumentError)\n\tfrom boat.rb:9:in `<main>'\n"
        "boat.rb:2:in `row': no oar (RangeError)\n\tfrom boat.rb:4:in `sail'\n",
        ("RangeError", "no oar", ["boat.rb:4", "boat.rb:2"]),
    ),
    "php: an exception with a namespace": (
        "php",
        "PHP Fatal error:  Uncaught Quay\\LostError: no oar in /srv/boat.php:3\nStack trace:\n#0 {main}\n",
        ("Quay\\LostError", "no oar", ["/srv/boat.php:3"]),
    ),
    "elixir": (
        "elixir",
        "** (RuntimeError) no oar\n    (quay 0.1.0) lib/boat.ex:3: Quay.Boat.row/1\n    lib/quay.ex:9: Quay.main/0\n",
        ("RuntimeError", "no oar", ["lib/quay.ex:9", "lib/boat.ex:3"]),
    ),
    "dart": (
        "dart",
        "Unhandled exception:\nBad state: no oar\n#0      row (file:///q/boat.dart:3:5)\n"
        "#1      main (file:///q/m.dart:9:3)\n",
        ("Exception", "Bad state: no oar", ["/q/m.dart:9", "/q/boat.dart:3"]),
    ),
    "c: a failed assertion": (
        "c",
        "boat: boat.c:3: int row(int): Assertion `oars > 1' failed.\n",
        ("Assertion", "Assertion `oars > 1' failed", ["boat.c:3"]),
    ),
}


@pytest.mark.parametrize(("language", "text", "expected"), TRACES.values(), ids=TRACES)
def test_traces(language: str, text: str, expected: tuple[str | None, str, list[str]]) -> None:
    trace = BY_NAME[language].traces(text)[-1]
    assert (trace.type, trace.message, [f"{frame.file}:{frame.line}" for frame in trace.frames]) == expected


NONE = [
    ("ruby", "boat.rb:2: warning: old oar\n"),
    ("ruby", "see boat.rb:2:in passing (Ruby)\n"),
    ("ruby", "\tfrom here to there\n"),
    ("php", "Stack trace:\nnone\n"),
    ("php", "Fatal error: none today\n"),
    ("php", "#0 boat.php(3): row()\n"),
    ("csharp", "Error: x\n    at sail (boat.js:1:2)\n"),
    ("csharp", "a.B: x\n\tat a.B.c(B.java:1)\n\tat a.B.c(Native Method)\n"),
    ("java", "Error: x\n    at sail (boat.js:1:2)\n"),
    ("go", "goroutines are cheap\n"),
    ("dart", "Expected: a quiet sea\n"),
]


@pytest.mark.parametrize(("language", "text"), NONE)
def test_prose_is_no_trace(language: str, text: str) -> None:
    assert BY_NAME[language].traces(text) == []


@table("roles")
def test_roles(file: str, role: R) -> None:
    assert role_of(file) is role
