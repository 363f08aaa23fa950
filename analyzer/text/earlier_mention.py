"""Whether a text was said before, whole or in parts."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.text.late import late

_MARKS = late(r"[`*]+|(?<!\w)_+|_+(?!\w)|(?m:^\s*(?:>\s?)+)")
_LEAST = 20
"""Characters below which two texts may be equal by chance."""


def said_before(text: str, earlier: Iterable[str]) -> bool:
    """Whether each paragraph of a text that isn't short is one of those of earlier texts."""
    paragraphs = _paragraphs(text)
    if sum(map(len, paragraphs)) < _LEAST:
        return False
    known = {paragraph for entry in earlier for paragraph in _paragraphs(entry)}
    return all(paragraph in known for paragraph in paragraphs)


def as_quoted(text: str) -> str:
    """A text on one line in small letters, without Markdown's marks and those of quotations: what is copied from a page
    into a quotation, and what it was copied from, are the same then."""
    return " ".join(_MARKS.sub("", text.casefold()).split())


def _paragraphs(text: str) -> list[str]:
    return [joined for part in text.split("\n\n") if (joined := " ".join(part.split()))]
