"""What last words say of the work: that it's done, put off, or taken for granted."""

from __future__ import annotations

import pytest

from analyzer.detectors.signals.gives_up import puts_off, says_done, takes_for_granted
from tests.build import diagnosed, edit, findings, says

GRANTED = [
    "Since nothing can be compiled here, we'll assume that the change fixes it.",
    "I trust the new guard will work.",
    "We can only presume it is correct.",
    "We'll have to proceed with the assumption that the new guard is enough.",
    "Assuming they resolve the leak, I hand the changes in.",
]
NOT_GRANTED = [
    "I assume you want the short form.",
    "Do we assume that it works?",
    "The parser proceeds on the assumption that the header is there.",
    "The parser assumes that the header is there.",
    "I didn't assume anything: the tests pass.",
    "I hope this helps!",
]


@pytest.mark.parametrize("words", GRANTED)
def test_taken_for_granted(words: str) -> None:
    assert takes_for_granted(f"Here it is.\n{words}") == words


@pytest.mark.parametrize("words", NOT_GRANTED)
def test_not_taken_for_granted(words: str) -> None:
    assert takes_for_granted(words) is None


@pytest.mark.parametrize(
    "words",
    [
        "I've added the guard.",
        "Done!",
        "The leak has been fixed.",
        "All 12 tests pass.",
        "Renamed `a` to `b` in both files.",
        "quote() now counts every started step.",
    ],
)
def test_said_to_be_done(words: str) -> None:
    assert says_done(words)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "submit",
        "I'll hand in my work.",
        "The leak isn't fixed.",
        "Once it is fixed, run the tests.",
        "The cache is shared by two threads.",
        "Direct changes might be premature.",
    ],
)
def test_not_said_to_be_done(words: str) -> None:
    assert not says_done(words)


def test_the_plainest_sentence_is_quoted() -> None:
    said = "A fix would require more research. It would be unwise to change it now. Ask me anything."
    assert puts_off(said) == "It would be unwise to change it now."
    assert puts_off("I conclude that the analysis is right. I have changed the two callers.") is None


@pytest.mark.parametrize(
    "words",
    [
        "The quay list is not working.",
        "I have not added the tests.",
        "It is not implemented.",
        "Nothing is done yet.",
        "I have never verified this.",
        "No files were changed.",
        "The bug is not fixed.",
    ],
)
def test_what_is_denied_is_neither_done_nor_a_claim(words: str) -> None:
    assert not says_done(words)
    assert findings(edit("quay.py", "a", "b"), says(words), detector="unverified-success") == []
    assert "reports that it is done" not in diagnosed(edit("quay.py", "a", "b"), says(words)).outcome.reason
