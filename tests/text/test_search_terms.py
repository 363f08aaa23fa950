"""What a query asks for, and where it is in a text."""

from __future__ import annotations

import pytest

from analyzer.text.clip import one_line
from analyzer.text.excerpts import excerpt, search_terms


@pytest.mark.parametrize(
    ("query", "needles"),
    [
        ("tide", ["tide"]),
        ("Tide  HARBOUR tide", ["tide", "harbour"]),
        ('"no such  file" tide', ["no such file", "tide"]),
        ('"no such file', ["no such file"]),
        ("src/tide.py::level", ["src/tide.py::level"]),
        ('say="aye"', ['say="aye"']),
        ('  ""  ', []),
    ],
)
def test_words_and_phrases(query: str, needles: list[str]) -> None:
    assert search_terms(query) == needles


def test_a_short_text_is_shown_whole() -> None:
    assert excerpt("The tide is out.", ["tide"]) == ("The tide is out.", [(4, 8)])


def test_a_long_text_is_cut_around_the_longest_of_what_was_found() -> None:
    text = one_line(f"out {'water ' * 40} the harbour is dry {'sand ' * 40}")
    shown, marks = excerpt(text, ["out", "harbour is dry"], 60)
    assert (len(shown), shown[0], shown[-1]) == (60, "…", "…")
    assert [shown[begin:end] for begin, end in marks] == ["harbour is dry"]


@pytest.mark.parametrize("text", ["x" * 500, "tide" * 200, "İ" * 300 + "tide", "a tide" + "b" * 200])
def test_marks_are_within_the_excerpt(text: str) -> None:
    shown, marks = excerpt(text, ["tide", "x" * 400], 80)
    assert len(shown) <= 80
    assert all(0 <= begin < end <= len(shown) for begin, end in marks)
