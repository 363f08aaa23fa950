"""JSON is safe to be shown by a terminal, and means the same."""

from __future__ import annotations

import json

import pytest

from analyzer.report.json import dump


@pytest.mark.parametrize(
    "text",
    [
        "a\x9b2Jb",
        "a\x85b",
        "a\x7fb",
        "a\u202eb",
        "a\u2066b\u2069",
        "a\u200fb",
        "\x1b[2J",
        "a\x00b",
        "\ud83d\x9b",
        "\ud83d\x7f",
    ],
)
def test_what_a_terminal_would_obey_is_an_escape(text: str) -> None:
    shown = dump({text: [text]}, indent=1)

    assert all(letter == "\n" or (letter.isprintable() and letter.isascii()) for letter in shown)
    assert json.loads(shown) == {text: [text]}


@pytest.mark.parametrize(
    "text", ["plain", "gr\u00fc\u00df", "\u65e5\u672c", "\U0001f642", "a\u00a0b", "\u0634\u0643\u0631\u0627"]
)
def test_any_other_text_is_shown_as_it_is(text: str) -> None:
    assert dump([text]) == f'["{text}"]\n'
