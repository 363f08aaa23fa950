"""The user's objection is tied to the sentence of the agent that it speaks against, where that is known."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, read, run, says, user

TEXT = "I looked at the wick and at the oil. "
CLAIM = "The lamp works correctly in our test."


def wrong(*parts: Part) -> str:
    made = diagnosed(user("Why is the lamp dark?"), read("lamp.py", "wick = 1"), *parts)
    return "\n".join(entry.text for entry in made.diagnosis.lead if entry.part == "wrong")


def test_the_claim_and_the_objection_are_quoted_with_their_steps() -> None:
    said = wrong(
        says(f"{TEXT * 5}{CLAIM} The oil may be old."),
        user("no, our test isn't valid, it is dark without it"),
        read("wick.py", "x"),
        says("I see, it is."),
    )
    assert said == (
        f'The agent said after step 1: "{CLAIM}" The user spoke against it before step 2: "no, our test isn\'t valid, '
        'it is dark without it"'
    )


FIRES = [
    pytest.param("The wick is fixed.", "still broken", id="the-only-claim-and-no-repair"),
    pytest.param(f"{TEXT}{CLAIM}", "But the lamp is dark.", id="one-word-of-it"),
]
SILENT = [
    pytest.param(f"{TEXT}{CLAIM}", "But the roof leaks.", id="about-something-else"),
    pytest.param(f"{TEXT}{CLAIM}", "Now test the lamp at night.", id="a-new-request"),
    pytest.param(f"{TEXT}{CLAIM}", "Great, the lamp test works.", id="praise"),
    pytest.param("The lamp might be fixed by this.", "no, the lamp is dark", id="no-claim"),
    pytest.param("Is the lamp fixed?", "no, the lamp is dark", id="a-question"),
    pytest.param("```\nThe lamp is fixed.\n```", "no, the lamp is dark", id="code"),
    pytest.param("The wick is fixed. The oil is verified.", "still broken", id="two-claims-of-which-none-is-named"),
]


@pytest.mark.parametrize(("answer", "objection"), FIRES)
def test_fires(answer: str, objection: str) -> None:
    assert "spoke against it" in wrong(says(answer), user(objection), run("ls"), says("I see."))


@pytest.mark.parametrize(("answer", "objection"), SILENT)
def test_what_is_not_known_to_be_meant_is_tied_to_nothing(answer: str, objection: str) -> None:
    assert "spoke against it" not in wrong(says(answer), user(objection), run("ls"), says("I see."))


def test_last_words_of_the_user_are_at_the_end() -> None:
    assert wrong(says(CLAIM), user("no, the test is wrong")).endswith('against it at the end: "no, the test is wrong"')
