"""Tool output made plain, and text put into one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.text.clip import clip
from analyzer.text.markdown import code
from analyzer.text.plain import plain

PLAIN = [
    pytest.param("hello\n", "hello\n", id="plain-already"),
    pytest.param("\x1b[31mFAILED\x1b[0m a", "FAILED a", id="colour"),
    pytest.param("\x1b[1;38;5;208mx\x1b[m", "x", id="long-colour"),
    pytest.param("\x1b[2K\x1b[1Gdone", "done", id="cursor"),
    pytest.param("\x1b]0;title\x07text", "text", id="title"),
    pytest.param("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link", id="link"),
    pytest.param("\x1b]0;never closed\nFAILED a\n", "\nFAILED a\n", id="unfinished-title"),
    pytest.param("\x1b(Bx", "x", id="character-set"),
    pytest.param("[31mFAILED[0m a", "FAILED a", id="colour-without-its-escape"),
    pytest.param("test_a[10m] and x[2m]", "test_a[10m] and x[2m]", id="brackets-that-are-no-colour"),
    pytest.param("a\r\nb\r\n", "a\nb\n", id="line-ends"),
    pytest.param("10%\r50%\r100%\ndone\r", "100%\ndone", id="progress-bar"),
    pytest.param("a\rb", "b", id="rewritten"),
    pytest.param("a\r\r\nb", "a\nb", id="doubled-carriage-return"),
    pytest.param("a\x00b\x08c\x7f", "abc", id="control-characters"),
    pytest.param("a\tb\u00e9\u2713", "a\tb\u00e9\u2713", id="tabs-and-letters"),
    pytest.param("", "", id="empty"),
]


@pytest.mark.parametrize(("text", "shown"), PLAIN)
def test_plain(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(st.text(st.characters() | st.sampled_from("\x1b[]m\r\n0;")))
def test_plain_text_holds_no_escapes(text: str) -> None:
    shown = plain(text)
    assert "\x1b" not in shown
    assert "\r" not in shown


@given(st.text(st.sampled_from("ab \n\t[]0:é")))
def test_text_without_escapes_stays_as_it_is(text: str) -> None:
    if "m" not in text:
        assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [("a  b\n c", 10, "a b c"), ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("ab cdefg", 4, "ab…"), ("", 5, "")],
)
def test_clip(text: str, limit: int, shown: str) -> None:
    assert clip(text, limit) == shown


@given(st.text(), st.integers(2, 50))
def test_clipped_text_is_one_line_within_its_limit(text: str, limit: int) -> None:
    shown = clip(text, limit)
    assert len(shown) <= limit
    assert "\n" not in shown


@pytest.mark.parametrize(
    ("text", "shown"), [("x = 1", "`x = 1`"), ("a `b` c", "`` a `b` c ``"), ("a ``b``", "``` a ``b`` ```")]
)
def test_code_span(text: str, shown: str) -> None:
    assert code(text) == shown
