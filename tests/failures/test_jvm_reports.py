"""Reports of Maven and Gradle, and what a step that ran them is found to have failed with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.runners import gradle, maven
from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from analyzer.text.plain import plain
from tests.failures.recorded import failure_of, outputs, shell

THREE = ["ferry.FerryTest.fareOfTwo", "ferry.FerryTest.anyFare(String)[2]", "ferry.FerryTest.boardsThree"]
OF_MAVEN = [
    pytest.param(
        "maven/failing",
        ["quay.BoatTest.noCrew", "quay.BoatTest.crewOfThree"],
        {"passed": 2, "failed": 1, "errors": 1},
        ["no crew for size 0", "expected: <7> but was: <6>"],
        id="plain",
    ),
    pytest.param(
        "maven/three_fail",
        THREE,
        {"passed": 2, "failed": 1, "errors": 2},
        ["expected: <7> but was: <6>", 'For input string: "heavy"', "the deck is full: 2 of 2 cars"],
        id="with-causes",
    ),
    pytest.param(
        "maven/quiet",
        THREE,
        {"passed": 2, "failed": 1, "errors": 2},
        ["expected: <7> but was: <6>", 'For input string: "heavy"', "the deck is full: 2 of 2 cars"],
        id="quiet",
    ),
    pytest.param(
        "maven/colour",
        THREE,
        {"passed": 2, "failed": 1, "errors": 2},
        ["expected: <7> but was: <6>", 'For input string: "heavy"', "the deck is full: 2 of 2 cars"],
        id="colour",
    ),
    pytest.param(
        "maven/tail",
        ["FerryTest.fareOfTwo", "FerryTest.anyFare", "FerryTest.boardsThree"],
        {"passed": 2, "failed": 1, "errors": 2},
        ["expected: <7> but was: <6>"],
        id="head-cut",
    ),
    pytest.param(
        "maven/old",
        ["ferry.FerryTest.boardsThree", "ferry.FerryTest.fareOfTwo"],
        {"passed": 1, "failed": 1, "errors": 1},
        ["the deck is full: 2 of 2 cars", "expected:<7> but was:<6>"],
        id="older-version",
    ),
    pytest.param(
        "maven/failsafe", ["ferry.CrossingIT.crosses"], {"passed": 4, "failed": 1}, ["the tide is out"], id="failsafe"
    ),
    pytest.param(
        (
            "Time: 0.01\nThere was 1 failure:\n1) floats(quay.BoatTest)\njava.lang.AssertionError: sunk\n\tat "
            "quay.BoatTest.floats(BoatTest.java:5)\n\nFAILURES!!!\nTests run: 3,  Failures: 1\n"
        ),
        ["quay.BoatTest.floats"],
        {"passed": 2, "failed": 1},
        ["sunk"],
        id="plain-junit",
    ),
]


@pytest.mark.parametrize(("report", "tests", "counts", "messages"), OF_MAVEN)
def test_failing_runs_of_maven(report: str, tests: list[str], counts: dict[str, int], messages: list[str]) -> None:
    text = plain(outputs()[report].text if report in outputs() else report)
    assert maven.recognises(text)
    result = maven.parse(text)
    assert (result.failed, result.failing_tests, result.counts) == (True, tests, counts)
    assert [trace.message for trace in result.traces] == messages


OF_GRADLE = [
    pytest.param(
        "gradle/failing",
        ["ferry.FerryTest > fareOfTwo", "ferry.FerryTest > boardsThree"],
        {"passed": 1, "failed": 2},
        [("java.lang.AssertionError", ""), ("java.lang.IllegalStateException", "")],
        id="short",
    ),
    pytest.param(
        "gradle/full",
        ["ferry.FerryTest > fareOfTwo", "ferry.FerryTest > boardsThree"],
        {"passed": 1, "failed": 2},
        [
            ("java.lang.AssertionError", "expected:<7> but was:<6>"),
            ("java.lang.IllegalStateException", "the deck is full: 2 of 2 cars"),
        ],
        id="full",
    ),
    pytest.param(
        "gradle/junit5",
        ["DeckTest > when loaded > boards three()"],
        {"passed": 3, "failed": 1, "skipped": 1},
        [("java.lang.NumberFormatException", 'For input string: "heavy"')],
        id="nested-with-a-cause",
    ),
]


@pytest.mark.parametrize(("report", "tests", "counts", "errors"), OF_GRADLE)
def test_failing_runs_of_gradle(
    report: str, tests: list[str], counts: dict[str, int], errors: list[tuple[str, str]]
) -> None:
    result = gradle.parse(outputs()[report].text)
    assert (result.failed, result.failing_tests, result.counts) == (True, tests, counts)
    assert [(trace.type, trace.message) for trace in result.traces] == errors
    assert result.traces[0].frames[-1].line


def test_the_short_form_of_gradle_tells_the_line_of_the_test() -> None:
    frame = gradle.parse(outputs()["gradle/failing"].text).traces[0].frames[0]
    assert (frame.file, frame.line, frame.function) == ("ferry/FerryTest.java", 18, "FerryTest.fareOfTwo")


FAILING = [
    pytest.param(
        "maven/three_fail", K.TEST, "org.opentest4j.AssertionFailedError", "expected: <7> but was: <6>", id="maven"
    ),
    pytest.param("maven/tail", K.TEST, "AssertionError", "expected: <7> but was: <6>", id="maven-behind-tail"),
    pytest.param("maven/compile_quiet", K.COMPILE, "CompileError", "incompatible types", id="maven-compile"),
    pytest.param(
        "maven/no_dependency",
        K.MISSING_DEPENDENCY,
        "PackageNotFound",
        "Could not resolve dependencies",
        id="maven-dependency",
    ),
    pytest.param(
        "maven/no_such_test", K.USAGE, "UsageError", 'No tests matching pattern "NoneTest"', id="maven-no-such-test"
    ),
    pytest.param(
        "maven/no_such_phase", K.USAGE, "UsageError", 'Unknown lifecycle phase "tset"', id="maven-no-such-phase"
    ),
    pytest.param("gradle/full", K.TEST, "java.lang.AssertionError", "expected:<7> but was:<6>", id="gradle"),
    pytest.param(
        "gradle/no_such_task", K.USAGE, "UsageError", "Task 'tset' not found in root project", id="gradle-no-such-task"
    ),
    pytest.param(
        "gradle/compile",
        K.COMPILE,
        "CompileError",
        "incompatible types: String cannot be converted to int",
        id="gradle-compile",
    ),
    pytest.param("kotlin/gradle_compile", K.COMPILE, "CompileError", "Initializer type mismatch", id="gradle-kotlin"),
    pytest.param("kotlin/bad", K.COMPILE, "CompileError", "initializer type mismatch", id="kotlinc"),
    pytest.param("kotlin/run", K.EXCEPTION, "java.lang.IllegalArgumentException", "no such leg: x", id="kotlin"),
    pytest.param("java/cause", K.EXCEPTION, "java.lang.NullPointerException", "Cannot invoke", id="java-cause"),
    pytest.param("java/deep", K.EXCEPTION, "java.lang.StackOverflowError", "", id="java-recursion"),
]


@pytest.mark.parametrize(("name", "kind", "error", "message"), FAILING)
def test_failing_steps(name: str, kind: K, error: str, message: str) -> None:
    output = outputs()[name]
    failure = failure_of(shell(output.command, output.text, output.exit_code))
    assert (failure.kind, failure.type) == (kind, error)
    assert message in failure.message


@pytest.mark.parametrize("name", ["maven/one_passes", "maven/passing", "gradle/passing", "java/caught"])
def test_passing_steps(name: str) -> None:
    output = outputs()[name]
    assert shell(output.command, output.text, output.exit_code).status is Status.OK


def test_the_last_build_counts() -> None:
    both = plain(outputs()["maven/three_fail"].text + outputs()["maven/passing"].text)
    assert not maven.parse(both).failed
    assert not gradle.parse(outputs()["gradle/full"].text + outputs()["gradle/passing"].text).failed


def test_a_test_that_passes_when_run_again_is_no_failure() -> None:
    text = (
        "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 1 s <<< FAILURE! -- in "
        "quay.BoatTest\n[WARNING] Flakes: \n[WARNING] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Flakes: "
        "1\n[INFO] BUILD SUCCESS\n"
    )
    assert not maven.parse(text).failed


def test_a_module_that_does_not_compile_fails_after_others_passed() -> None:
    text = (
        "[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0\n[ERROR] COMPILATION ERROR : \n[ERROR] "
        "/q/Boat.java:[5,16] ';' expected\n[INFO] BUILD FAILURE\n"
    )
    failure = failure_of(shell("mvn test", text, 1))
    assert (failure.kind, failure.message) == (K.COMPILE, "';' expected")


PIECES = [
    "[ERROR] a.B.c -- Time elapsed: 1 s <<< FAILURE!\n",
    "Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n",
    "[INFO] BUILD FAILURE\n",
    "BUILD FAILED in 1s\n",
    "A > b() FAILED\n",
    "    a.B: c\n",
    "        at a.B.c(B.java:1)\n",
    "    a.B at B.java:1\n",
    "3 tests completed, 1 failed\n",
    "[ERROR]   B.c:5 d\n",
    "* What went wrong:\n",
    "[INFO] Scanning for projects...\n",
    "\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_nothing_breaks_it(text: str) -> None:
    maven.parse(text)
    gradle.parse(text)
