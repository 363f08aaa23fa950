"""Whether a text was said before, whole or in parts."""

from __future__ import annotations

from collections.abc import Iterable

_LEAST = 20
"""Characters below which two texts may be equal by chance."""


def said_before(text: str, earlier: Iterable[str]) -> bool:
    """Whether each paragraph of a text that isn't short is one of those of earlier texts."""
    paragraphs = _paragraphs(text)
    if sum(map(len, paragraphs)) < _LEAST:
        return False
    known = {paragraph for entry in earlier for paragraph in _paragraphs(entry)}
    return all(paragraph in known for paragraph in paragraphs)


def _paragraphs(text: str) -> list[str]:
    return [joined for part in text.split("\n\n") if (joined := " ".join(part.split()))]
