"""Rust: panics, the compiler's errors, and the reports of `cargo test`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.runners import cargo_test
from analyzer.failures.traces import rust
from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from analyzer.text.plain import plain
from tests.drawn import examples
from tests.failures.recorded import failure_of, outputs, shell

PANICS = [
    pytest.param(
        "rustc/backtrace",
        "index out of bounds: the len is 2 but the index is 2",
        "boom.rs",
        3,
        "boom::Log::at",
        id="backtrace",
    ),
    pytest.param(
        "rustc/backtrace_full",
        "index out of bounds: the len is 2 but the index is 2",
        "/home/dev/dock/rs/boom.rs",
        3,
        "boom::Log::at",
        id="full-backtrace",
    ),
    pytest.param(
        "rustc/expect",
        "a crew is a number: ParseIntError { kind: InvalidDigit }",
        "unwrapped.rs",
        1,
        None,
        id="no-backtrace",
    ),
    pytest.param(
        "rustc/two_lines",
        "assertion `left == right` failed: the two (left: [1, 2], right: [1, 3])",
        "lines.rs",
        1,
        None,
        id="message-of-two-lines",
    ),
    pytest.param("rustc/thread", "oar lost", "threads.rs", 2, "threads::main::{{closure}}", id="in-a-thread"),
    pytest.param("cargo/run", "no negative depth: -2", "src/lib.rs", 5, "reef::fathoms", id="cargo-run"),
    pytest.param(
        "thread 'main' panicked at 'no berth 7', src/main.rs:9:5\nnote: run with `RUST_BACKTRACE=1`\n",
        "no berth 7",
        "src/main.rs",
        9,
        None,
        id="before-1.73",
    ),
    pytest.param(
        (
            "thread 'tests::crew' panicked at 'assertion failed: `(left == right)`\n  left: `6`,\n right: `7`: "
            "crew', src/lib.rs:9:5\n"
        ),
        "assertion failed: `(left == right)` (left: 6, right: 7: crew)",
        "src/lib.rs",
        9,
        None,
        id="assertion-before-1.73",
    ),
    pytest.param(
        "thread '<unnamed>' panicked at C:\\quay\\src\\main.rs:9:5:\nadrift\n",
        "adrift",
        "C:\\quay\\src\\main.rs",
        9,
        None,
        id="windows",
    ),
]


@pytest.mark.parametrize(("name", "message", "file", "line", "function"), PANICS)
def test_panic(name: str, message: str, file: str, line: int, function: str | None) -> None:
    [trace] = rust.traces(outputs()[name].text if name in outputs() else name)
    assert (trace.type, trace.message) == ("panic", message)
    raised = trace.frames[-1]
    assert (raised.file, raised.line, raised.function) == (file, line, function)


def test_frames_go_from_the_outermost_call_to_the_place_that_panicked() -> None:
    [trace] = rust.traces(outputs()["rustc/backtrace"].text)
    own = [(frame.function, frame.line) for frame in trace.frames if frame.file == "boom.rs"]
    assert own == [("boom::main", 8), ("boom::deepest", 5), ("boom::deepest::{{closure}}", 5), ("boom::Log::at", 3)]
    [full] = rust.traces(outputs()["rustc/backtrace_full"].text)
    assert [frame.function for frame in full.frames] == [frame.function for frame in trace.frames]


ERRORS = [
    pytest.param(
        "rustc/bad", "error[E0308]: mismatched types: expected `u8`, found `&str`", "bad.rs", 1, id="mismatched"
    ),
    pytest.param(
        "rustc/borrow",
        "error[E0382]: borrow of moved value: `boat`: value borrowed here after move",
        "borrow.rs",
        6,
        id="after-a-warning",
    ),
    pytest.param("rustc/modules", "error[E0583]: file not found for module `hull`", "bad.rs", 2, id="no-module"),
    pytest.param("rustc/syntax", "error: mismatched closing delimiter: `}`", "syntax.rs", 1, id="without-a-code"),
    pytest.param(
        "cargo/build",
        "error[E0277]: cannot divide `i64` by `&str`: no implementation for `i64 / &str`",
        "src/lib.rs",
        5,
        id="cargo-build",
    ),
    pytest.param(
        "cargo/broken", "error[E0308]: mismatched types: expected `u8`, found `&str`", "src/main.rs", 1, id="cargo-test"
    ),
]


@pytest.mark.parametrize("with_code", [True, False])
@pytest.mark.parametrize(("name", "message", "file", "line"), ERRORS)
def test_what_does_not_compile(name: str, message: str, file: str, line: int, with_code: bool) -> None:
    output = outputs()[name]
    failure = failure_of(shell(output.command, output.text, output.exit_code if with_code else None))
    assert (failure.kind, failure.type, failure.message) == (K.COMPILE, "CompileError", message)
    assert (failure.language, failure.frames[-1].file, failure.frames[-1].line) == ("rust", file, line)
    assert failure.frames[-1].code


FOUR = ["tests::below", "tests::deep", "tests::must_panic", "tests::parses"]
REPORTS = [
    pytest.param("cargo/four_fail", FOUR, {"passed": 1, "failed": 4}, 4, id="plain"),
    pytest.param("cargo/colour", FOUR, {"passed": 1, "failed": 4}, 4, id="colour"),
    pytest.param("cargo/nocapture", FOUR, {"passed": 1, "failed": 4}, 3, id="nocapture"),
    pytest.param(
        "cargo/targets",
        [*FOUR, "charted", "src/lib.rs - (line 1)"],
        {"passed": 2, "failed": 6},
        6,
        id="several-targets",
    ),
    pytest.param("cargo/backtrace", ["tests::below"], {"passed": 0, "failed": 1}, 1, id="backtrace"),
    pytest.param(
        "cargo/failing_piped", ["tests::below", "tests::deep"], {"passed": 1, "failed": 2}, 1, id="cut-by-tail"
    ),
]


@pytest.mark.parametrize(("name", "tests", "counts", "traces"), REPORTS)
def test_failing_run(name: str, tests: list[str], counts: dict[str, int], traces: int) -> None:
    result = cargo_test.parse(plain(outputs()[name].text))
    assert (result.failed, sorted(result.failing_tests), result.counts) == (True, sorted(tests), counts)
    assert len(result.traces) == traces


def test_each_section_says_what_failed() -> None:
    found = {trace.message: trace.frames for trace in cargo_test.parse(outputs()["cargo/targets"].text).traces}
    assert "assertion `left == right` failed: eight metres (left: 4, right: 5)" in found
    assert [frame.line for frame in found["test did not panic as expected"]] == [15]
    assert found["ParseIntError { kind: InvalidDigit }"] == []
    assert [frame.file for frame in found["too shallow"]] == ["tests/chart.rs"]


@pytest.mark.parametrize("name", ["cargo/passing", "cargo/noisy", "cargo/fail_then_pass"])
def test_passing_run(name: str) -> None:
    output = outputs()[name]
    assert cargo_test.recognises(output.text)
    assert not cargo_test.parse(output.text).failed
    assert shell(output.command, output.text, output.exit_code).status is Status.OK


def test_two_crates_with_targets_of_the_same_name_both_count() -> None:
    one = (
        "     Running unittests src/lib.rs (target/debug/deps/rope-0123456789abcdef)\n\nrunning 1 test\ntest slack "
        "... FAILED\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n"
    )
    other = (
        "     Running unittests src/lib.rs (target/debug/deps/sail-fedcba9876543210)\n\nrunning 1 test\ntest full "
        "... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n"
    )
    result = cargo_test.parse(one + other)
    assert (result.failed, result.failing_tests, result.counts) == (True, ["slack"], {"passed": 1, "failed": 1})


NEXTEST = """    Starting 3 tests across 1 binary
        PASS [   0.004s] reef tests::shallow
        FAIL [   0.005s] reef tests::below
  stderr ---
    thread 'tests::below' (7) panicked at src/lib.rs:5:21:
    no negative depth: -1
    note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
     Summary [   0.012s] 2 tests run: 1 passed, 1 failed, 1 skipped
        FAIL [   0.005s] reef tests::below
error: test run failed
"""


def test_nextest() -> None:
    failure = failure_of(shell("cargo nextest run", NEXTEST, 100))
    assert (failure.type, failure.message, failure.failing_tests) == (
        "panic",
        "no negative depth: -1",
        ("reef tests::below",),
    )
    assert failure.counts == {"passed": 1, "failed": 1}


def test_a_test_process_that_a_signal_stopped() -> None:
    text = (
        "running 1 test\nerror: test failed, to rerun pass `--lib`\n\nCaused by:\n  process didn't exit "
        "successfully: `/quay/deps/reef-1` (signal: 6, SIGABRT: process abort signal)\n"
    )
    result = cargo_test.parse(text)
    assert (result.failed, result.message) == (True, "the test process was stopped: 6, SIGABRT: process abort signal")


@pytest.mark.parametrize(
    "name", ["cargo/four_fail", "cargo/targets", "cargo/backtrace", "rustc/borrow", "rustc/backtrace"]
)
def test_line_ends_and_cuts(name: str) -> None:
    output = outputs()[name]
    assert failure_of(shell(output.command, output.text.replace("\n", "\r\n"))) == failure_of(
        shell(output.command, output.text)
    )
    for cut in (
        output.text[: len(output.text) * 3 // 4],
        "... [1200 chars elided] ...\n" + output.text[len(output.text) // 3 :],
    ):
        assert shell(output.command, cut, 1).status is Status.ERROR


PIECES = sorted(
    {
        line
        for name in outputs()
        if name.startswith(("cargo/", "rustc/"))
        for line in plain(outputs()[name].text).split("\n")[:60]
    }
)


@pytest.mark.slow
@examples(150)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=30).map("\n".join))
def test_any_mix_of_lines_is_read(text: str) -> None:
    cargo_test.recognises(text)
    result = cargo_test.parse(text)
    assert result.failed or not (result.failing_tests or result.traces)
    assert all(trace.end <= len(text) + 1 for trace in rust.traces(text))
