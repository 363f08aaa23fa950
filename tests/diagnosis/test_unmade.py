"""Changes that were asked for and not made, and conversations that speak against their answers."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, read, run, says, user

OFFER = says("You could change lamp.py so that it is lit by itself, or leave it. " + "The wick is short. " * 12)
ANSWER = says("The lamp has a wick, and the wick has a flame. " * 6)
LOOKED = read("lamp.py", "wick = 1")
IN_WORDS = "and no edit is recorded after it: the agent answered in words."


def reason(*parts: Part) -> str:
    return diagnosed(user("Where is the lamp lit?"), LOOKED, OFFER, *parts).outcome.reason


def test_a_change_that_was_answered_with_words_is_not_delivered() -> None:
    wish = "Add a second wick in lamp.py."
    said = f'The user asked for a change last ("{wish}"), {IN_WORDS}'
    assert reason(user(wish), read("wick.py", "x"), ANSWER) == said


@pytest.mark.parametrize(
    "parts",
    [
        [user("let's try this"), edit("lamp.py", "1", "2"), ANSWER],
        [user("Do it."), run("python light.py", "ok"), ANSWER],
        [user("Do it."), run("sed -i s/1/2/ lamp.py", ""), ANSWER],
        [user("thanks"), read("wick.py", "x"), ANSWER],
        [user("What does lamp.py do?"), read("wick.py", "x"), ANSWER],
        [user("Convert 5 miles to metres."), read("wick.py", "x"), ANSWER],
        [user("Why would you change lamp.py?"), read("wick.py", "x"), ANSWER],
    ],
    ids=["edited", "ran-something", "edited-by-a-command", "thanks", "question", "no-code", "why"],
)
def test_what_was_done_or_only_asked_is_not_called_so(parts: list[Part]) -> None:
    assert IN_WORDS not in reason(*parts)


def test_a_wish_for_something_that_was_no_change_is_none() -> None:
    made = diagnosed(
        user("Which lamp?"), LOOKED, says("The oil lamp, or the gas lamp."), user("use this"), LOOKED, ANSWER
    )
    assert IN_WORDS not in made.outcome.reason


def test_an_answer_that_the_user_contradicts_is_said_to_be() -> None:
    said = reason(user("but it is dark"), read("wick.py", "x"), ANSWER)
    against = 'the user objected to an earlier answer ("but it is dark")'
    assert said.endswith(f"{against}, and no verdict on the last answer is recorded.")


def test_a_calm_conversation_is_not() -> None:
    said = reason(user("And where is the oil?"), read("wick.py", "x"), ANSWER)
    assert said.endswith("changed nothing; no verdict on the answer is recorded.")


def test_scores_of_another_measure_are_no_verdict_on_success() -> None:
    parts: list[Part] = [user("And where is the oil?"), read("wick.py", "x"), ANSWER]
    scored = diagnosed(*parts, recorded_status="brevity 0.2", ending_detail="brevity 0.2: long").outcome.reason
    assert scored.endswith("changed nothing; no verdict on success is recorded.")


def test_interruptions_are_counted() -> None:
    stop = user("[Request interrupted by user]")
    made = diagnosed(user("Where is it lit?"), LOOKED, stop, LOOKED, stop, LOOKED, ANSWER)
    said = [entry.text for entry in made.diagnosis.lead if entry.part == "known"]
    assert "The user interrupted the agent twice." in said
