"""JavaScript: uncaught errors and the reports of jest, vitest, mocha and Node's own runner."""

from __future__ import annotations

import pytest

from analyzer.failures.runners import jest, mocha, node_test, vitest
from analyzer.failures.runners.registry import report_of
from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.failures.traces import javascript
from analyzer.text.plain import plain
from tests.failures.recorded import outputs

QUAY = "vt/quay.test.ts > quay > "
REPORTS = [
    pytest.param(
        "jest/failing",
        "jest",
        ["harbour › knows its berths", "harbour › has many"],
        {"failed": 2, "passed": 1},
        id="jest",
    ),
    pytest.param("jest/colour", "jest", ["harbour › knows its berths"], {"failed": 1}, id="jest-in-colour"),
    pytest.param("jest/broken", "jest", ["jest/broken.test.js"], {}, id="jest-suite-does-not-load"),
    pytest.param(
        "jest/nested",
        "jest",
        [
            "quay › berths › knows one",
            "quay › berths › moors 1 at 2",
            "quay › holds a fleet",
            "quay › waits",
            "quay › is in time",
            "quay › throws",
            "quay › throws no text",
        ],
        {"failed": 7, "passed": 1},
        id="jest-nested",
    ),
    pytest.param(
        "jest/suites",
        "jest",
        [
            "quay › berths › knows one",
            "quay › berths › moors 1 at 2",
            "quay › holds a fleet",
            "quay › waits",
            "quay › is in time",
            "quay › throws",
            "quay › throws no text",
            "a",
            "jest/syntax.test.js",
        ],
        {"failed": 8, "passed": 1},
        id="jest-three-files",
    ),
    pytest.param(
        "vitest/failing",
        "vitest",
        [f"{QUAY}berths > knows one", f"{QUAY}holds a fleet", f"{QUAY}waits", f"{QUAY}is in time"],
        {"failed": 4, "passed": 1},
        id="vitest",
    ),
    pytest.param("vitest/colour", "vitest", [f"{QUAY}holds a fleet"], {"failed": 1}, id="vitest-in-colour"),
    pytest.param("vitest/broken", "vitest", ["vt/broken.test.ts"], {}, id="vitest-suite-does-not-load"),
    pytest.param("vitest/stray", "vitest", [], {"passed": 1}, id="vitest-unhandled-rejection"),
    pytest.param("mocha/failing", "mocha", ["harbour counts", "harbour finds"], {"passed": 1, "failed": 2}, id="mocha"),
    pytest.param(
        "mocha/nested",
        "mocha",
        [
            "quay holds a fleet",
            "quay waits",
            "quay is in time",
            "quay berths knows one",
            'pier "before each" hook: build it for "stands"',
        ],
        {"passed": 1, "failed": 5},
        id="mocha-nested",
    ),
    pytest.param("node/test_failing", "node --test", ["a boat sinks"], {"passed": 1, "failed": 1}, id="node"),
    pytest.param(
        "node/test_nested",
        "node --test",
        ["knows one", "holds a fleet", "waits", "is in time"],
        {"passed": 1, "failed": 3},
        id="node-nested",
    ),
    pytest.param(
        "node/test_spec",
        "node --test",
        ["knows one", "holds a fleet", "waits", "is in time"],
        {"passed": 1, "failed": 3},
        id="node-spec",
    ),
]


def report(name: str) -> RunResult:
    found = report_of(plain(outputs()[name].text))
    assert found is not None
    assert found[1] == "javascript"
    return found[0]


@pytest.mark.parametrize(("name", "runner", "tests", "counts"), REPORTS)
def test_failing_runs(name: str, runner: str, tests: list[str], counts: dict[str, int]) -> None:
    found = report(name)
    assert (found.runner, found.failed, found.failing_tests, found.counts) == (runner, True, tests, counts)


@pytest.mark.parametrize("name", ["jest/passing", "vitest/passing", "mocha/passing", "node/test_passing"])
def test_passing_runs_that_print_errors(name: str) -> None:
    found = report(name)
    assert (found.failed, found.failing_tests, found.traces) == (False, [], [])


THROWN = "if (berth > 3) throw new RangeError(`no berth ${berth}`);"
LIB = "/home/dev/reef/lib/quay.js"
FLEETS = [
    pytest.param(
        "jest/nested",
        2,
        [
            ("jest/quay.test.js", 9, "Object.fleet", None),
            ("lib/quay.js", 6, "map", None),
            ("lib/quay.js", 6, "moor", None),
            ("lib/quay.js", 2, "moor", THROWN),
        ],
        id="jest",
    ),
    pytest.param(
        "vitest/failing",
        1,
        [
            ("vt/quay.test.ts", 8, None, None),
            ("lib/quay.js", 6, "fleet", None),
            ("lib/quay.js", 6, None, None),
            ("lib/quay.js", 2, "moor", THROWN),
        ],
        id="vitest",
    ),
    pytest.param(
        "mocha/nested",
        0,
        [
            ("node:internal/timers", 483, "process.processImmediate", None),
            ("mo/quay.js", 9, "Context.<anonymous>", None),
            ("lib/quay.js", 6, "fleet", None),
            (LIB, 6, None, None),
            ("lib/quay.js", 2, "moor", None),
        ],
        id="mocha",
    ),
    pytest.param(
        "node/test_nested",
        1,
        [
            ("/home/dev/reef/nt/quay.test.js", 6, "TestContext.<anonymous>", None),
            (LIB, 6, "fleet", None),
            (LIB, 6, None, None),
            (LIB, 2, "moor", None),
        ],
        id="node",
    ),
    pytest.param(
        "node/test_spec",
        1,
        [
            ("/home/dev/reef/nt/quay.test.js", 6, "TestContext.<anonymous>", None),
            (LIB, 6, "fleet", None),
            (LIB, 6, None, None),
            (LIB, 2, "moor", None),
        ],
        id="node-spec",
    ),
]


@pytest.mark.parametrize(("name", "number", "frames"), FLEETS)
def test_frames_of_a_failing_test(
    name: str, number: int, frames: list[tuple[str, int, str | None, str | None]]
) -> None:
    trace = report(name).traces[number]
    assert (trace.type, trace.message) == ("RangeError", "no berth 7")
    assert trace.frames[-len(frames) :] == [RawFrame(*frame) for frame in frames]


SAID = [
    pytest.param(
        "jest/nested",
        1,
        "AssertionError",
        "expect(received).toBe(expected) // Object.is equality: expected 2, received 1",
        id="jest-values",
    ),
    pytest.param("jest/nested", 4, "Error", "Exceeded timeout of 30 ms for a test.", id="jest-timeout"),
    pytest.param("jest/nested", 6, "Error", "a buoy", id="jest-thrown-text"),
    pytest.param("jest/suites", 7, "Error", "no harbour", id="jest-hook"),
    pytest.param("jest/suites", 8, "SyntaxError", "Unexpected token", id="jest-syntax"),
    pytest.param("vitest/failing", 3, "Error", "Test timed out in 30ms.", id="vitest-timeout"),
    pytest.param("mocha/failing", 0, "AssertionError", "1 == 2", id="mocha"),
    pytest.param(
        "node/test_failing", 0, "AssertionError", "Expected values to be strictly equal: 3 !== 4", id="node-values"
    ),
    pytest.param("node/test_nested", 3, "TimeoutError", "test timed out after 20ms", id="node-timeout"),
]


@pytest.mark.parametrize(("name", "number", "error", "message"), SAID)
def test_what_a_failing_test_says(name: str, number: int, error: str, message: str) -> None:
    trace = report(name).traces[number]
    assert (trace.type, trace.message) == (error, message)


def test_a_test_that_throws_no_error_is_placed_by_its_cause() -> None:
    assert report("jest/nested").traces[6].frames[-1] == RawFrame(
        "jest/quay.test.js", 20, "test", 'test("throws no text", () => { throw "a buoy"; });'
    )


def test_two_workspaces_add_up() -> None:
    text = "Tests: 1 failed, 2 passed, 3 total\nTests: 4 passed, 4 total\n"
    assert jest.parse(text).counts == {"failed": 1, "passed": 6}


def last(text: str) -> Trace:
    return javascript.traces(text)[-1]


UNCAUGHT = [
    pytest.param(
        "node/plain",
        "RangeError",
        "no berth 7",
        ("/home/dev/reef/plain.js", 2, "moor", "throw new RangeError(`no berth ${berth}`);"),
        id="plain",
    ),
    pytest.param(
        "node/promise",
        "Error",
        "oar lost",
        ("/home/dev/reef/promise.js", 2, "row", 'throw new Error("oar lost");'),
        id="promise",
    ),
    pytest.param(
        "node/bad", "SyntaxError", "Unexpected number", ("/home/dev/reef/bad.js", 2, None, "return 1;"), id="syntax"
    ),
    pytest.param(
        "node/eval",
        "TypeError",
        "Cannot read properties of null (reading 'crew')",
        ("[eval]", 1, None, "null.crew"),
        id="eval",
    ),
    pytest.param(
        "node/missing",
        "Error",
        "Cannot find module 'sextant'",
        ("node:internal/modules/cjs/loader", 1207, "Module._resolveFilename", None),
        id="message-of-several-lines",
    ),
]


@pytest.mark.parametrize(("name", "error", "message", "raised"), UNCAUGHT)
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


def test_reports_whose_end_was_cut() -> None:
    for parser, name, cut in (
        (jest, "jest/failing", "Test Suites:"),
        (vitest, "vitest/failing", " Test Files"),
        (node_test, "node/test_nested", "# tests"),
    ):
        text = outputs()[name].text
        found = parser.parse(text[: text.index(cut)])
        assert parser.recognises(text[: text.index(cut)])
        assert (found.failed, len(found.failing_tests) > 1, found.counts) == (True, True, {})


def test_reports_whose_head_was_cut() -> None:
    for parser, name, cut in (
        (jest, "jest/failing", "  ● harbour › has many"),
        (vitest, "vitest/failing", " FAIL  vt/quay.test.ts > quay > is in time"),
        (mocha, "mocha/failing", "  1 passing"),
    ):
        text = outputs()[name].text
        found = parser.parse(text[text.index(cut) :])
        assert (found.failed, len(found.traces) > 0) == (True, True)
