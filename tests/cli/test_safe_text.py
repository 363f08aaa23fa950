"""Text of others on a terminal."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from analyzer.cli.console.output import visible, without_escapes
from tests.tables import table

ANY_TEXT = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\x1b[]m;0\x07\x9b\\\u202e\r\n")))


@table("without_escapes")
def test_without_escapes(given_text: str, left: str) -> None:
    assert without_escapes(given_text) == left


@given(ANY_TEXT)
def test_without_escapes_leaves_no_control_character(text: str) -> None:
    clean = without_escapes(text)
    assert not [one for one in clean if unicodedata.category(one) == "Cc" and one not in "\n\t"]
    assert without_escapes(clean) == clean


@given(ANY_TEXT)
def test_visible_can_always_be_printed_and_hides_nothing(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert len(shown) >= len(text)
    assert not [one for one in shown if unicodedata.category(one) in ("Cc", "Cf", "Cs") and one not in "\n\t"]
