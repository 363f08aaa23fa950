"""C and C++: compilers, linkers, sanitizers, GoogleTest and ctest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.compilers import c_family
from analyzer.failures.runners import ctest, gtest
from analyzer.failures.traces import sanitizers
from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from analyzer.text.plain import plain
from tests.drawn import examples
from tests.failures.recorded import failure_of, outputs, shell

ERRORS = [
    pytest.param("gcc/bad", "expected ‘;’ before ‘return’", "bad.c", 7, "main", id="gcc"),
    pytest.param("gcc/cpp", "‘class std::vector<int>’ has no member named ‘push’", "bad.cpp", 2, "main", id="g++"),
    pytest.param("gcc/header", "nowhere.h: No such file or directory", "header.c", 1, None, id="no-header"),
    pytest.param(
        "gcc/includes",
        "‘dept’ was not declared in this scope; did you mean ‘depth’?",
        "includes.h",
        2,
        "depth",
        id="in-a-header",
    ),
    pytest.param(
        "gcc/cmake", "‘depth’ was not declared in this scope", "/home/dev/dock/mast/tides.cpp", 4, "fathoms", id="cmake"
    ),
    pytest.param("gcc/link", "undefined reference to `depth'", "link.c", None, "main", id="undefined-reference"),
    pytest.param("gcc/twice", "multiple definition of `main'", "thrown.cpp", None, "main", id="multiple-definition"),
    pytest.param(
        "clang/includes",
        "use of undeclared identifier 'dept'; did you mean 'depth'?",
        "includes.h",
        2,
        None,
        id="clang",
    ),
    pytest.param("clang/link", "multiple definition of `main'", "thrown.cpp", None, "main", id="clang-link"),
    pytest.param(
        "clang/warning",
        "unused variable 'unused' [-Werror,-Wunused-variable]",
        "warn.c",
        1,
        None,
        id="warning-as-error",
    ),
    pytest.param(
        "src\\tides.cpp(12,5): error C2065: 'depth': undeclared identifier [C:\\quay.vcxproj]\n",
        "C2065: 'depth': undeclared identifier [C:\\quay.vcxproj]",
        "src\\tides.cpp",
        12,
        None,
        id="msvc",
    ),
    pytest.param(
        "/usr/bin/ld: /quay/tides.c:12: undefined reference to `moor'\n",
        "undefined reference to `moor'",
        "/quay/tides.c",
        12,
        None,
        id="link-with-lines",
    ),
]


@pytest.mark.parametrize(("name", "message", "file", "line", "function"), ERRORS)
def test_what_does_not_compile(name: str, message: str, file: str, line: int | None, function: str | None) -> None:
    text = outputs()[name].text if name in outputs() else name
    failure = failure_of(shell("make", text, 2))
    assert (failure.kind, failure.type, failure.message, failure.language) == (K.COMPILE, "CompileError", message, "c")
    raised = failure.frames[-1]
    assert (raised.file, raised.line, raised.function) == (file, line, function)


@pytest.mark.parametrize("text", ["/usr/bin/ld: cannot find -lrope\n", "ld.lld: error: undefined symbol: moor\n"])
def test_a_linker_s_error_without_a_place(text: str) -> None:
    assert failure_of(shell("make", text, 1)).kind is K.COMPILE


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("gcc/includes", "In file included from /usr/include/c++/12/bits/stl_tree.h"),
        ("clang/includes", "In file included from includes.cpp:2"),
    ],
)
def test_templates_show_what_required_them(name: str, start: str) -> None:
    text = outputs()[name].text
    found = c_family.read(text[text.index(start) :])
    assert found is not None
    trace = found.trace
    assert (trace.frames[0].file, trace.frames[0].line) == ("includes.cpp", 6)
    assert (trace.frames[-1].file.rsplit("/", 1)[-1], trace.frames[-1].line) == ("stl_function.h", 408)


SANITIZED = [
    pytest.param(
        "sanitizers/overflow",
        "AddressSanitizer",
        "heap-buffer-overflow: READ of size 4",
        [("main", 15), ("report", 13), ("deepest", 7)],
        id="overflow",
    ),
    pytest.param(
        "sanitizers/after_free",
        "AddressSanitizer",
        "heap-use-after-free: READ of size 1",
        [("main", 4)],
        id="use-after-free",
    ),
    pytest.param(
        "sanitizers/segv",
        "AddressSanitizer",
        "SEGV: READ of a bad address",
        [("main", 2), ("read_depth", 1)],
        id="segv",
    ),
    pytest.param("sanitizers/leak", "LeakSanitizer", "detected memory leaks", [("main", 3), ("rope", 2)], id="leak"),
    pytest.param(
        "sanitizers/no_lines",
        "AddressSanitizer",
        "heap-buffer-overflow: READ of size 4",
        [("main", None), ("report", None), ("deepest", None)],
        id="without-lines",
    ),
    pytest.param(
        "sanitizers/undefined", "runtime error", "index 7 out of bounds for type 'int [4]'", [(None, 4)], id="undefined"
    ),
    pytest.param(
        "sanitizers/undefined_trace",
        "runtime error",
        "signed integer overflow: 2147483647 * 2 cannot be represented in type 'int'",
        [("main", 6), ("twice", 5)],
        id="undefined-with-a-trace",
    ),
]


def _own(name: str) -> bool:
    return "libc_start" not in name


@pytest.mark.parametrize(("name", "kind", "message", "frames"), SANITIZED)
def test_sanitizer(name: str, kind: str, message: str, frames: list[tuple[str | None, int | None]]) -> None:
    output = outputs()[name]
    failure = failure_of(shell(output.command, output.text, output.exit_code or 1))
    assert (failure.kind, failure.type, failure.message) == (K.EXCEPTION, kind, message)
    assert [(frame.function, frame.line) for frame in failure.frames if _own(frame.file)] == frames


def test_a_race_is_raised_where_the_first_thread_was() -> None:
    [trace] = sanitizers.traces(outputs()["sanitizers/race"].text)
    assert (trace.type, trace.message) == ("ThreadSanitizer", "data race")
    assert (trace.frames[-1].function, trace.frames[-1].line) == ("rise", 3)


def test_an_exception_that_nobody_caught() -> None:
    output = outputs()["gcc/thrown"]
    failure = failure_of(shell(output.command, output.text, output.exit_code))
    assert (failure.kind, failure.type, failure.message) == (K.EXCEPTION, "std::out_of_range", "no berth 7")


def test_a_mac_s_assertion() -> None:
    [trace] = sanitizers.traces("Assertion failed: (depth > 4), function main, file dive.c, line 7.\n")
    assert (trace.type, trace.frames[-1].file, trace.frames[-1].line, trace.frames[-1].function) == (
        "Assertion",
        "dive.c",
        7,
        "main",
    )


FAILED = ["Tide.Rises", "Tide.Throws", "Quay/Berth.IsDeep/0"]


@pytest.mark.parametrize("name", ["gtest/failing", "gtest/colour"])
def test_gtest(name: str) -> None:
    result = gtest.parse(plain(outputs()[name].text))
    assert (result.failed, result.failing_tests, result.counts) == (True, FAILED, {"passed": 2, "failed": 3})
    assert [(trace.message, [(frame.line, frame.function) for frame in trace.frames]) for trace in result.traces] == [
        ("Expected equality of these values: fathoms(8) Which is: 4 5 eight metres", [(5, "Tide.Rises")]),
        ("Value of: fathoms(2) > 3 Actual: false Expected: true", [(5, "Tide.Rises")]),
        ('C++ exception with description "no negative depth" thrown in the test body.', []),
        ("Expected: (fathoms(GetParam())) > (2), actual: 2 vs 2", [(10, "Quay/Berth.IsDeep/0")]),
    ]


def test_gtest_behind_tail() -> None:
    result = gtest.parse(outputs()["gtest/tail"].text)
    assert (result.failed, result.failing_tests, result.counts) == (True, FAILED, {"failed": 3})


def test_a_gtest_that_dies_is_the_one_that_ran() -> None:
    text = (
        "[==========] Running 2 tests from 1 test suite.\n[ RUN      ] Tide.Rises\n[       OK ] Tide.Rises (0 ms)\n[ "
        "RUN      ] Tide.Sinks\nSegmentation fault (core dumped)\n"
    )
    failure = failure_of(shell("./tides", text, 139))
    assert (failure.failing_tests, failure.counts) == (("Tide.Sinks",), {"passed": 1, "failed": 1})


CTESTS = ["tides", "crash", "nowhere", "slow", "check"]


@pytest.mark.parametrize("name", ["ctest/failing", "ctest/output"])
def test_ctest(name: str) -> None:
    result = ctest.parse(outputs()[name].text)
    assert (result.failed, result.failing_tests, result.counts) == (True, CTESTS, {"passed": 1, "failed": 5})


def test_ctest_shows_what_failing_tests_printed() -> None:
    traces = ctest.parse(outputs()["ctest/output"].text).traces
    assert [(trace.type, trace.frames[-1].line if trace.frames else None) for trace in traces] == [
        ("TestFailure", 5),
        ("TestFailure", 5),
        ("TestFailure", None),
        ("TestFailure", 10),
        ("Assertion", 3),
    ]


def test_ctest_without_output_says_how_the_first_test_failed() -> None:
    failure = failure_of(shell("ctest", outputs()["ctest/failing"].text, 8))
    assert (failure.kind, failure.message, failure.runner) == (K.TEST, "tides (Failed)", "ctest")


def test_a_ctest_report_that_was_cut_has_its_lines() -> None:
    text = outputs()["ctest/failing"].text
    result = ctest.parse(text[: text.index("17% tests passed")])
    assert (result.failed, result.failing_tests, result.counts) == (True, CTESTS, {"passed": 1, "failed": 5})


@pytest.mark.parametrize("name", ["gtest/passing", "ctest/passing", "gcc/warn"])
def test_nothing_failed(name: str) -> None:
    output = outputs()[name]
    assert shell(output.command, output.text, output.exit_code).status is Status.OK
    assert shell(output.command, output.text).status is Status.OK


PLACES = ("gcc/", "clang/", "sanitizers/", "gtest/", "ctest/")


@pytest.mark.parametrize("name", [name for name in outputs() if name.startswith(PLACES)])
def test_line_ends_change_nothing(name: str) -> None:
    output = outputs()[name]
    one, other = (
        shell(output.command, text, output.exit_code) for text in (output.text, output.text.replace("\n", "\r\n"))
    )
    assert (one.status, one.failure) == (other.status, other.failure)


PIECES = sorted(
    {line for name in outputs() if name.startswith(PLACES) for line in plain(outputs()[name].text).split("\n")[:60]}
)


@examples(150)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=30).map("\n".join))
def test_any_mix_of_lines_is_read(text: str) -> None:
    for report in (gtest, ctest):
        report.recognises(text)
        result = report.parse(text)
        assert result.failed or not (result.failing_tests or result.traces)
    diagnostics = c_family.read(text)
    traces = [*sanitizers.traces(text), *([diagnostics.trace] if diagnostics else [])]
    assert all(trace.end <= len(text) + 1 for trace in traces)
