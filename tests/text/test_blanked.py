"""Texts that a recorder blanked out, and words that only look like it."""

from __future__ import annotations

import pytest

from analyzer.text.plain import is_blanked, is_partly_blanked


@pytest.mark.parametrize(
    "text",
    [
        *("REDACTED", "***", " ******* ", "xxxxxxxx", "[REDACTED]", "<redacted>", "{{redacted}}", "__MASKED__"),
        *("[redacted: 40 words]", "(omitted)", "<stripped by-export>", "SANITIZED"),
    ],
)
def test_the_whole_text_is_blanked_out(text: str) -> None:
    assert is_blanked(text)
    assert is_partly_blanked(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "removed", "hidden", "masked", "The keel is [redacted].", "**", "* * *", "xxx", "xxxxxxxx yards"),
        *("REDACTED lines are left out", "redact", "[done]", "(see above)", "def masked(): ...", "2 ** 3", "*** End"),
        "[redacted] " * 20,
    ],
)
def test_words_are_words(text: str) -> None:
    assert not is_blanked(text)


def test_a_part_is_blanked_out() -> None:
    assert all(map(is_partly_blanked, ("KEY=***", "the <redacted> key", "token = xxxxxxxxxx")))
    assert not any(map(is_partly_blanked, ("depth = 3 ** 2  # hidden", "/*** keel ***/", "removed the keel")))
