"""Words against an answer, answers that are taken back, and short wishes for what was offered."""

from __future__ import annotations

import pytest

from analyzer.task.objections import asks_whether_stuck, objects, takes_back
from analyzer.task.prose import is_interruption


@pytest.mark.parametrize(
    "text",
    [
        "well you'd think that but I'm seeing the old lamp",
        "> It is lit.\n\nno, it's dark",
        "but why would there be so many lamps then",
        "well yea but shouldn't it be lit by itself?",
        "That's not right.",
        "It still doesn't light up",
        "Are you sure?",
        "That isn't what I asked.",
        "you're wrong about the wick",
        "uhh no, that lamp is another one",
    ],
)
def test_a_user_objects(text: str) -> None:
    assert objects(text)


@pytest.mark.parametrize(
    "text",
    [
        "Great, thanks!",
        "no problem, go on",
        "No thanks.",
        "Now add a second lamp.",
        "But first, oil it.",
        "but why do we use oil",
        "What about the other lamp?",
        "Use oil, not gas; the butler knows.",
        "Is it still lit?",
        "Write it down. But I have to leave soon.",
    ],
)
def test_a_user_does_not(text: str) -> None:
    assert not objects(text)


@pytest.mark.parametrize(
    "text",
    [
        "You're right, I was looking at the wrong lamp.",
        "I was wrong about the wick.",
        "My earlier answer was incorrect.",
    ],
)
def test_an_agent_takes_an_answer_back(text: str) -> None:
    assert takes_back(text) is not None


@pytest.mark.parametrize(
    "text", ["You're right to ask.", "The lamp was wrong.", "Sorry for the wait.", "If I was to guess: oil."]
)
def test_an_agent_does_not(text: str) -> None:
    assert takes_back(text) is None


@pytest.mark.parametrize("text", ["are you stuck?", "Are you still there", "still working?", "hello??"])
def test_a_user_asks_whether_the_agent_is_at_work(text: str) -> None:
    assert asks_whether_stuck(text)


@pytest.mark.parametrize("text", ["The drawer is stuck.", "hello", "Are you able to light it?", "are there lamps?"])
def test_a_user_asks_something_else(text: str) -> None:
    assert not asks_whether_stuck(text)


@pytest.mark.parametrize(
    "text", ["[Request interrupted by user]", "[Request interrupted by user for tool use]", "Interrupted by the user"]
)
def test_a_notice_of_an_interruption(text: str) -> None:
    assert is_interruption(text)


@pytest.mark.parametrize("text", ["I was interrupted by user questions all day, sorry", "Stop.", "cancelled"])
def test_words_about_an_interruption(text: str) -> None:
    assert not is_interruption(text)
