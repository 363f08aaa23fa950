"""The agent's reason for running nothing is quoted where it never tried to run anything."""

from __future__ import annotations

import pytest

from analyzer.detectors.signals.reason_for_no_check import reason_for_no_check
from tests.build import Part, diagnosed, edit, read, run, submit, timeline

LOOKED: list[Part] = [read("shapes.py", "a = 1"), edit("shapes.py", "a = 1", "a = 2")]


def excuse(text: str, *parts: Part) -> str | None:
    return reason_for_no_check(text, timeline(*LOOKED, *parts).actions)


@pytest.mark.parametrize(
    "said",
    [
        "However, since we cannot run tests directly in this environment, we hand it in.",
        "I can't run the tests here.",
        "I am unable to compile the project.",
        "We're in a sandbox, and I could not execute anything.",
        "It is not possible to build the project in this environment.",
        "I have no way to test this.",
    ],
)
def test_a_reason_that_was_never_tried(said: str) -> None:
    assert excuse(f"The area is right. {said} It is done.") == said


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        pytest.param("I can't run the tests here.", [run("pytest", "1 passed")], id="a test ran"),
        pytest.param("I can't run the tests here.", [run("pytest", "no such command", 127)], id="it was tried"),
        pytest.param("I can't run the tests here.", [run("python shapes.py", "")], id="something ran"),
        pytest.param("The old parser cannot run on two threads.", [], id="about the code"),
        pytest.param("If you cannot run the tests here, tell me.", [], id="about somebody else"),
        pytest.param("I could not find the tests.", [], id="another inability"),
        pytest.param("I was able to test this here.", [], id="able"),
        pytest.param("Now we can run the tests in this environment.", [], id="possible"),
        pytest.param("It can't be negative, so the check is gone.", [], id="another word that can't"),
        pytest.param("", [], id="nothing said"),
    ],
)
def test_no_reason_or_one_that_was_tried(said: str, parts: list[Part]) -> None:
    assert excuse(said, *parts) is None


def test_the_reason_is_on_the_page() -> None:
    page = diagnosed(*LOOKED, submit("I have implemented it. We cannot run tests in this environment."))
    said = "We cannot run tests in this environment."

    assert page.diagnosis.root_cause is not None
    assert f'The agent gives a reason at step 3 ("{said}"), and no step tried it.' in page.diagnosis.root_cause
