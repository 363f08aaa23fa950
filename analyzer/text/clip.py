"""Shorten a text to one line of a given length."""

from __future__ import annotations

_ENOUGH = 256
"""Characters of a text that are looked at first, beside twice as many as are wanted: putting a megabyte on one line
takes time, of which a cut line shows nothing."""


def clip(text: str, limit: int) -> str:
    """`text` on one line, cut at `limit` characters with an ellipsis."""
    line = _beginning(text, limit)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def clip_words(text: str, limit: int) -> str:
    """`text` on one line, cut behind the last whole word within `limit` characters, with an ellipsis. A single word
    that is longer is cut within."""
    line = _beginning(text, limit)
    if len(line) <= limit:
        return line
    end = line.rfind(" ", limit // 2, limit)
    return line[: end if end > 0 else limit - 1].rstrip() + "…"


def middle(text: str, limit: int) -> str:
    """`text` on one line, cut in the middle: of an error the end says as much as the beginning."""
    line = _beginning(text, limit)
    if len(line) <= limit:
        return line
    tail = limit // 2
    end = _end(text, tail)[-tail:].lstrip() if tail else ""
    return f"{line[: limit - tail - 1].rstrip()}…{end}"


def clip_path(path: str, limit: int) -> str:
    """`path` on one line, cut at its beginning: as many of its last parts as fit behind an ellipsis, for it's the
    file's name that tells which file it is. A path on one line that fits stays as it is."""
    line = _end(path, limit)
    if len(line) <= limit:
        return line
    first = len(line) - limit + 1
    place = next((place for place in range(first, len(line)) if line[place] in "/\\"), first)
    return "…" + line[place:]


def _beginning(text: str, limit: int) -> str:
    """`text` on one line, or so much of its beginning as shows that the line is longer than `limit`."""
    size = 2 * limit + _ENOUGH
    while size < len(text):
        line = " ".join(text[:size].split())
        if len(line) > limit:
            return line
        size *= 8
    return " ".join(text.split())


def _end(text: str, limit: int) -> str:
    """`text` on one line, or so much of its end as shows that the line is longer than `limit`."""
    size = 2 * limit + _ENOUGH
    while size < len(text):
        line = " ".join(text[-size:].split())
        if len(line) > limit:
            return line
        size *= 8
    return " ".join(text.split())
