"""Shorten a text to one line of a given length."""

from __future__ import annotations


def clip(text: str, limit: int) -> str:
    """`text` on one line, cut at `limit` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def middle(text: str, limit: int) -> str:
    """`text` on one line, cut in the middle: of an error the end says as much as the beginning."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    tail = limit // 2
    return f"{line[: limit - tail - 1].rstrip()}…{line[-tail:].lstrip()}"
