"""What is said and advised of a success that nothing verifies."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event
from analyzer.model.words import Mark
from tests.build import Part, edit, findings, read, run, says, submit
from tests.detectors.unverified import CHANGE, CLAIM, FAILS, HANDED_BACK, unverified

Call = tuple[Event, ...]


NO_JAVAC = run("javac Pier.java", "bash: javac: command not found", 127)


NO_PYTEST = run("python3 -m pytest tests", "/usr/bin/python3: No module named pytest", 1)


NO_CHECK = "Success is claimed, but no check ran after the last change of code (step {})"


def test_the_claim_is_quoted() -> None:
    (found,) = unverified(CHANGE, FAILS, says("I've looked at it. The area is now fixed."))
    assert found.evidence[0].quote == "ValueError: boom"
    assert found.evidence[1].quote.endswith("The area is now fixed.")


@pytest.mark.parametrize(
    ("check", "end"),
    [
        pytest.param(FAILS, "failed", id="it failed"),
        pytest.param(
            run("pytest", "It took too long and was killed.", None, mark=Mark.TIMEOUT),
            "was stopped by a time limit",
            id="it was stopped",
        ),
    ],
)
def test_a_check_that_was_stopped_is_not_said_to_have_failed(check: Call, end: str) -> None:
    (found,) = unverified(CHANGE, check, CLAIM)
    assert (found.severity, found.title) == ("high", f"Success is claimed, but the last check (step 2) {end}")


def test_a_missing_check_that_the_agent_admits() -> None:
    (found,) = unverified(CHANGE, says("The area is fixed. I couldn't run the tests here."))
    words = f'{NO_CHECK.format(1)}, as the agent says itself: "I couldn\'t run the tests here."'
    assert (found.severity, found.title) == ("low", words)


def test_the_check_that_ran_before_the_change_is_to_run_again() -> None:
    (found,) = unverified(run("pytest -q", "3 passed"), CHANGE, CLAIM)
    assert found.advice == ["Run `pytest -q` (step 1) again after the last edit."]


def test_what_the_agent_takes_for_granted() -> None:
    granted = "As nothing can be compiled here, we'll assume that the change works."
    (found,) = findings(
        read("Shape.java", "class Shape {}"),
        run("javac Shape.java", "bash: javac: command not found", 127),
        edit("Shape.java", "class Shape {}", "class Shape { int n; }"),
        submit(f"The field is added. {granted}"),
        detector="unverified-success",
    )
    assert (found.kind, found.severity) == ("no-check", "medium")
    assert found.title == (
        f'The agent takes for granted that its change works ("{granted}"), but no check ran after the last change of '
        "code (step 3)"
    )
    assert found.evidence[-1].quote == granted


@pytest.mark.parametrize(
    ("parts", "advice"),
    [
        pytest.param(
            [CHANGE, FAILS, CLAIM],
            "Fix what `pytest` (step 2) shows and run it again before handing the work in, or report that it fails.",
            id="the check failed",
        ),
        pytest.param(
            [CHANGE, run("pytest", "Command timed out after 60 seconds", 124, mark=Mark.TIMEOUT), CLAIM],
            "Find out why `pytest` (step 2) doesn't end before handing the work in, or report that it was stopped.",
            id="the check was stopped",
        ),
        pytest.param(
            [FAILS, CHANGE, FAILS, CLAIM],
            (
                "Say in the report that `pytest` (step 3) fails as it did on the original code, and whether the task "
                "is about that."
            ),
            id="it fails as before",
        ),
        pytest.param(
            [CHANGE, HANDED_BACK, CLAIM],
            "Wait for the end of `pytest` (step 2), and report what it printed.",
            id="the check runs on",
        ),
        pytest.param(
            [run("ls spec tests", "tests/unit/test_shapes.py\ntests/unit/test_sails.py"), CHANGE, CLAIM],
            "Run `tests/unit/test_shapes.py`, which step 1 showed, after the last edit.",
            id="no check, and a step had shown the tests",
        ),
        pytest.param(
            [run("ls", "sails.test.ts\nsrc/mast/sails.test.ts"), edit("src/sails.ts", "a", "b"), CLAIM],
            "Run `src/mast/sails.test.ts`, which step 1 showed, after the last edit.",
            id="tests of another sort",
        ),
    ],
)
def test_advises_by_what_ran(parts: list[Part], advice: str) -> None:
    (found,) = unverified(*parts)
    assert found.advice == [advice]


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param("tests/a/test_shapes.py\ntests/b/test_shapes.py", id="two of that name"),
        pytest.param("tests/test_sails.py", id="tests of something else"),
        pytest.param("src/shapes.py\nsrc/shapes.pyi", id="no tests"),
    ],
)
def test_names_no_tests_that_need_not_be_the_right_ones(shown: str) -> None:
    (found,) = unverified(run("ls", shown), CHANGE, CLAIM)
    assert found.advice == []


@pytest.mark.parametrize(
    ("parts", "step", "quote"),
    [
        pytest.param(
            [CHANGE, submit("The edit was successfully applied to `shapes.py`. This should resolve the issue.")],
            2,
            "This should resolve the issue.",
            id="a tool's success before the claim",
        ),
        pytest.param(
            [CHANGE, submit("I have implemented the new area. The duplicated lines have been removed.")],
            2,
            "I have implemented the new area.",
            id="a clean-up after the claim",
        ),
        pytest.param(
            [
                CHANGE,
                run("rm notes.txt", "", said="I've implemented all shapes and verified them. Now I will clean up."),
                run("echo HAND_IN && git diff", "", task_done=True),
            ],
            2,
            "I've implemented all shapes and verified them.",
            id="said before a clean-up, handed in by a command",
        ),
        pytest.param(
            [CHANGE, says("The change is complete. Let me know if I should fix the rest.")],
            1,
            "The change is complete.",
            id="an offer after the claim",
        ),
        pytest.param(
            [CHANGE, submit("The change has been applied. This should let any shape have an area. It is handed in.")],
            2,
            "This should let any shape have an area.",
            id="a promise behind what the edit's result shows",
        ),
        pytest.param(
            [CHANGE, submit("The cast was removed. It should now work with shapes of any kind.")],
            2,
            "It should now work with shapes of any kind.",
            id="a hope that it works",
        ),
        pytest.param(
            [CHANGE, submit("I have implemented the area. If that fails, this should make you look at the sides.")],
            2,
            "I have implemented the area.",
            id="a condition behind the claim",
        ),
    ],
)
def test_quotes_the_sentence_that_claims(parts: list[Part], step: int, quote: str) -> None:
    (found,) = unverified(*parts)
    assert (found.evidence[-1].step, found.evidence[-1].quote) == (step, quote)
