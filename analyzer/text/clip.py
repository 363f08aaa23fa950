"""Shorten a text to one line of a given length."""

from __future__ import annotations


def clip(text: str, limit: int) -> str:
    """`text` on one line, cut at `limit` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def clip_words(text: str, limit: int) -> str:
    """`text` on one line, cut behind the last whole word within `limit` characters, with an ellipsis. A single word
    that is longer is cut within."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    end = line.rfind(" ", limit // 2, limit)
    return line[: end if end > 0 else limit - 1].rstrip() + "…"


def middle(text: str, limit: int) -> str:
    """`text` on one line, cut in the middle: of an error the end says as much as the beginning."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    tail = limit // 2
    return f"{line[: limit - tail - 1].rstrip()}…{line[-tail:].lstrip()}"


def clip_path(path: str, limit: int) -> str:
    """`path` on one line, cut at its beginning: as many of its last parts as fit behind an ellipsis, for it's the
    file's name that tells which file it is. A path on one line that fits stays as it is."""
    line = " ".join(path.split())
    if len(line) <= limit:
        return line
    places = [place for place, letter in enumerate(line) if letter in "/\\" and len(line) - place < limit]
    return "…" + (line[places[0] :] if places else line[-limit + 1 :])
