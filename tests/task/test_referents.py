"""What a sentence of the user points at, and which two point at the same."""

from __future__ import annotations

import pytest

from analyzer.task.names import referents_of, same_referent
from analyzer.task.prose import quotation


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Write into C:\\quay\\log.", "It belongs into c:/quay/log", True),
        ("You missed src/oars.py.", "oars.py is wrong", True),
        ("You missed `row_all`.", "`row_all` is wrong", True),
        ("Put it in docs/maps/ now.", "It belongs into docs/log/.", False),
        ("You missed src/oars.py.", "src/sails.py is wrong", False),
        ("and/or, yes/no", "either/or", False),
        ("See https://quay.example/log for it.", "https://quay.example/log is down", False),
        ("You missed one.", "That one is wrong.", False),
    ],
)
def test_two_sentences_point_at_the_same(one: str, other: str, same: bool) -> None:
    assert same_referent(referents_of(one), referents_of(other)) is same


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("> Use tabs.\n> Always.\n\nYou forgot that.", "Use tabs.\nAlways."),
        ("You forgot that:\n> Use tabs.", "Use tabs."),
        ("> Use tabs.", ""),
        ("Use tabs.", ""),
        ("```\n> a prompt\n```\nWhat is this?", ""),
    ],
)
def test_a_quotation_stands_beside_own_words(text: str, quoted: str) -> None:
    assert quotation(text) == quoted
