"""Which sentences of a long answer are shown."""

from __future__ import annotations

import pytest

from analyzer.text.excerpts import answering

ASKED = "How likely is a day of fog at the pier in the first week of May? Give it in percent."
BEFORE = "I went through the readings of the harbour with great care and put them in order. " * 2
ANSWER = "The probability of a day of fog at the pier is 12.5 percent."
BEHIND = "All the steps were followed as agreed, and the work was a pleasure throughout. " * 3


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{BEFORE}{ANSWER} {BEHIND}", id="sentences"),
        pytest.param(f"{BEFORE}\n\n- Readings: many.\n- {ANSWER}\n\n{BEHIND}", id="a list"),
        pytest.param(f"{BEFORE}\n```python\nprint(likely, fog, pier, 99)\n```\n{ANSWER}\n{BEHIND}", id="beside code"),
    ],
)
def test_the_value_that_was_asked_for_is_among_them(text: str) -> None:
    shown = answering(text, ASKED, 160)
    assert ANSWER in shown
    assert "(…)" in shown
    assert len(shown) < 200


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        pytest.param(f"{BEFORE}{ANSWER} {BEHIND}", "Repair the fog horn.", id="no value was asked for"),
        pytest.param("word " * 200, ASKED, id="no sentences"),
        pytest.param(f"{BEFORE}{BEHIND}", ASKED, id="no value"),
    ],
)
def test_every_other_text_is_shown_by_both_its_ends(text: str, asked: str) -> None:
    shown = answering(text, asked, 160)
    assert shown.startswith(text[:20])
    assert text.rsplit(maxsplit=1)[-1] in shown


def test_a_short_text_is_shown_whole() -> None:
    assert answering("12.5 percent.", ASKED, 160) == "12.5 percent."


def test_parts_stand_in_their_order_with_a_mark_for_each_gap() -> None:
    text = "First 1 fog. Nothing here at all of note. Then 2 fog. " + "Nothing more is said of it in these lines. " * 4
    assert answering(text, ASKED, 60).startswith("First 1 fog. (…) Then 2 fog. (…)")
