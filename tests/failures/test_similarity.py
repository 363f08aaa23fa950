"""When two masked messages say the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.text.similarity import alike, identifiers, near, same_words
from tests.tables import table


@table("same")
def test_near(one: str, other: str) -> None:
    assert near(one, other)
    assert near(other, one)


@table("different")
def test_not_near(one: str, other: str) -> None:
    assert not near(one, other)
    assert not near(other, one)


def test_alike_compares_words_only() -> None:
    one, other = "cannot open src/tides/curve.py for reading now", "cannot open src/tides/curves.py for reading now"
    assert alike(one, other)
    assert not alike(one, other, percent=99.9)


def test_masks_are_no_identifiers() -> None:
    assert identifiers("took <duration> at <line>") == []


@given(st.text(max_size=80))
def test_every_text_is_near_itself(text: str) -> None:
    assert near(text, text)
    assert alike(text, text)


@given(st.text(max_size=80), st.text(max_size=80))
def test_near_is_symmetric(one: str, other: str) -> None:
    assert near(one, other) == near(other, one)


@table("same_words")
def test_same_words(one: str, other: str, same: bool) -> None:
    assert same_words(one, other, 0.9) is same
    assert same_words(other, one, 0.9) is same
