"""What is said and advised of a success that nothing verifies."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event
from analyzer.model.words import Mark
from tests.build import edit, findings, read, run, says, submit
from tests.detectors.unverified import CHANGE, CLAIM, FAILS, unverified
from tests.sessions import Written, parts_of
from tests.tables import table

Call = tuple[Event, ...]


NO_CHECK = "Success is claimed, but no check ran after the last code change (step {})"


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
    words = f'{NO_CHECK.format(1)}, as the agent itself says: "I couldn\'t run the tests here."'
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
        f'The agent assumes that its change works ("{granted}"), but no check ran after the last code change (step 3)'
    )
    assert found.evidence[-1].quote == granted


@table("advises_by_what_ran")
def test_advises_by_what_ran(parts: Written, advice: str) -> None:
    (found,) = unverified(*parts_of(parts))
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


@table("quotes_the_sentence_that_claims")
def test_quotes_the_sentence_that_claims(parts: Written, step: int, quote: str) -> None:
    (found,) = unverified(*parts_of(parts))
    assert (found.evidence[-1].step, found.evidence[-1].quote) == (step, quote)
