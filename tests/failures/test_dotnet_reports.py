"""Reports of `dotnet test`, and what a step that ran `dotnet` is found to have failed with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.runners.dotnet_test import parse, recognises
from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from tests.failures.recorded import failure_of, outputs, shell

FARE = "Ferry.Tests.DeckTests.FareOfTwo"
RUNS = [
    pytest.param(
        "dotnet/xunit",
        [FARE, 'Ferry.Tests.DeckTests.AnyFare(weight: "heavy")'],
        {"passed": 3, "failed": 2, "skipped": 1},
        [
            ("AssertionError", "Assert.Equal() Failure: Values differ Expected: 7 Actual: 6"),
            ("System.FormatException", "The input string 'heavy' was not in a correct format."),
        ],
        id="xunit",
    ),
    pytest.param(
        "dotnet/nunit",
        ["FareOfTwo", "BoardsThree"],
        {"passed": 4, "failed": 2},
        [
            ("AssertionError", 'Assert.That(deck.Fare("2"), Is.EqualTo(7)) Expected: 7 But was: 6'),
            ("System.InvalidOperationException", "the deck is full: 2 of 2 cars"),
        ],
        id="nunit",
    ),
    pytest.param(
        "dotnet/mstest",
        ["FareOfTwo", "BoardsThree"],
        {"passed": 3, "failed": 2},
        [
            ("AssertionError", "Assert.AreEqual failed. Expected:<7>. Actual:<6>."),
            ("System.InvalidOperationException", "the deck is full: 2 of 2 cars"),
        ],
        id="mstest",
    ),
    pytest.param(
        "dotnet/terminal_logger",
        [FARE],
        {"passed": 5, "failed": 1},
        [("AssertionError", "Assert.Equal() Failure: Values differ Expected: 7 Actual: 6")],
        id="terminal-logger",
    ),
]


@pytest.mark.parametrize(("name", "tests", "counts", "errors"), RUNS)
def test_failing_runs(name: str, tests: list[str], counts: dict[str, int], errors: list[tuple[str, str]]) -> None:
    text = outputs()[name].text
    assert recognises(text)
    result = parse(text)
    assert (result.failed, result.failing_tests, result.counts) == (True, tests, counts)
    assert [(trace.type, trace.message) for trace in result.traces] == errors


def test_an_inner_stack_is_joined_to_the_outer_one() -> None:
    inner = parse(outputs()["dotnet/xunit"].text).traces[1]
    own = [(frame.function, frame.line) for frame in inner.frames if frame.line]
    assert own[0] == ("DeckTests.AnyFare", 20)
    assert own[-1] == ("Deck.Fare", 10)


FAILING = [
    pytest.param("dotnet/xunit", K.TEST, "AssertionError", "Expected: 7 Actual: 6", id="xunit"),
    pytest.param(
        "dotnet/build",
        K.COMPILE,
        "CompileError",
        "error CS0029: Cannot implicitly convert type 'string' to 'int'",
        id="build",
    ),
    pytest.param(
        "dotnet/no_project", K.USAGE, "UsageError", "MSB1003: Specify a project or solution file", id="no-project"
    ),
    pytest.param(
        "dotnet/no_package",
        K.MISSING_DEPENDENCY,
        "PackageNotFound",
        "Unable to find package Ferry.Tides",
        id="no-package",
    ),
    pytest.param("dotnet/unhandled", K.EXCEPTION, "System.FormatException", "The input string 'heavy'", id="unhandled"),
    pytest.param("mono/plain", K.EXCEPTION, "System.ArgumentOutOfRangeException", "Index was out of range.", id="mono"),
    pytest.param("mono/bad", K.COMPILE, "CompileError", "error CS0029", id="mcs"),
]


@pytest.mark.parametrize(("name", "kind", "error", "message"), FAILING)
def test_failing_steps(name: str, kind: K, error: str, message: str) -> None:
    output = outputs()[name]
    failure = failure_of(shell(output.command, output.text, output.exit_code))
    assert (failure.kind, failure.type) == (kind, error)
    assert message in failure.message
    assert not failure.message.endswith("]")


@pytest.mark.parametrize("name", ["dotnet/passing", "mono/caught"])
def test_passing_steps(name: str) -> None:
    output = outputs()[name]
    assert shell(output.command, output.text, output.exit_code).status is Status.OK


def test_a_build_that_fails_behind_a_pipe_is_a_failure() -> None:
    assert failure_of(shell("dotnet test | tail -20", outputs()["dotnet/build"].text, 0)).kind is K.COMPILE


PIECES = [
    "  Failed A.B(c: 1) [4 ms]\n",
    "  Error Message:\n",
    "   A.BException : c\n",
    "---- A.BException : d\n",
    "  Stack Trace:\n",
    "     at A.B() in /a/B.cs:line 1\n",
    "----- Inner Stack Trace -----\n",
    "Failed!  - Failed:     1, Passed:     3\n",
    "Total tests: 5\n",
    "     Passed: 3\n",
    "Test Run Failed.\n",
    "\n",
    "B.cs(1,2): error CS1: x\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_nothing_breaks_it(text: str) -> None:
    parse(text)
