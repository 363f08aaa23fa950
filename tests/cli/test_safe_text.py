"""Text of others on a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cli.console.output import visible, without_escapes

ANY_TEXT = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\x1b[]m;0\x07\x9b\\\u202e\r\n")))


@pytest.mark.parametrize(
    ("given_text", "left"),
    [
        pytest.param("\x1b[31mred\x1b[0m", "red", id="colours"),
        pytest.param("\x1b[2J\x1b[1;1Hgone", "gone", id="erasing the screen"),
        pytest.param("\x1b]0;title\x07text", "text", id="a title"),
        pytest.param("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link", id="a hidden link"),
        pytest.param("\x1bP1$r0m\x1b\\text", "text", id="a device string"),
        pytest.param("\x9b31mred", "red", id="eight-bit escapes"),
        pytest.param("\x1b(0box\x1b(B", "box", id="another character set"),
        pytest.param("\x1bcreset", "reset", id="a reset"),
        pytest.param("lost \x1b[", "lost ", id="half an escape"),
        pytest.param("10%\r100%\x08\x08", "10%100%", id="overwriting"),
        pytest.param("a\r\nb\tc", "a\nb\tc", id="newlines and tabs stay"),
        pytest.param("user\u202etxt.exe", "usertxt.exe", id="reversed words"),
        pytest.param(
            "na\u00efve \U0001f469\u200d\U0001f680 \u05e9\u05dc\u05d5\u05dd",
            "na\u00efve \U0001f469\u200d\U0001f680 \u05e9\u05dc\u05d5\u05dd",
            id="what people write stays",
        ),
    ],
)
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
