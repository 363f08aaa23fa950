"""The parts of a long error that say what it was: of a service's answer its code and what it objects to, which stand
behind a sentence that any such answer has."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.text.clip import clip_words
from analyzer.text.late import late

_HEAD = late(r"[^{\n]{3,160}(?=\{)")
_BY_SERVICE = late(r"\b[45]\d\d\b|\w(?:API|Request|Status|Service|Client|Limit)Error\b|\bAPI ?Error\b|Exception\b")
_MESSAGE = late(
    r"""(?i)['"](?:message|detail|error_description)['"]: ?(?P<q>['"])(?P<said>.{3,400}?)(?:[.!?](?=\s)|(?P=q))"""
)
_CODE = late(r"""(?i)['"](?:code|error_?code|reason|type)['"]: ?(?:['"][\w .:/-]{3,60}['"]|(?P<number>\d{3,6})\b)""")
_HELD_BACK = late(
    r"""(?i)['"]\w{3,40}['"]: ?\{[^{}]{0,120}?['"](?:filtered|detected|blocked|exceeded)['"]: ?true[^{}]{0,80}\}"""
)
_LEFT_OUT = " … "
_LEAST = 20
"""Characters of a message from which on it says something."""


def informative_parts(text: str, limit: int, cut: Callable[[str, int], str] = clip_words) -> str:
    """`text` on one line where it's no longer than `limit`; of the answer of a service its beginning, the first
    sentence of its message, its codes and what it held back, each to the letter, with an ellipsis for what is left out
    between them; any other text as `cut` shortens it."""
    line = " ".join(text.split()) if len(text) < 20 * limit else text
    if len(line) <= limit:
        return line
    head = _HEAD.match(line)
    if head is None or _BY_SERVICE.search(head[0]) is None:
        return cut(text, limit)
    pieces = [head.span()]
    length = len(head[0].strip()) + len(_LEFT_OUT)
    for pattern in (_CODE, _HELD_BACK):
        for found in pattern.finditer(line):
            told = found["number"] if pattern is _CODE else None
            size = len(found[0]) + len(_LEFT_OUT)
            if (told is None or told not in head[0]) and length + size <= limit:
                pieces.append(found.span())
                length += size
    message = _MESSAGE.search(line)
    room = limit - length - len(_LEFT_OUT)
    if message is not None and room >= _LEAST:
        said = message["said"] if len(message["said"]) <= room else clip_words(message["said"], room).rstrip("…")
        pieces.append((message.start("said"), message.start("said") + len(said)))
    if len(pieces) == 1:
        return cut(text, limit)
    shown, end = "", 0
    for start, stop in sorted(pieces):
        if start >= end:
            between = _LEFT_OUT if line[end:start].strip() else " "
            shown, end = f"{shown}{between if shown else ''}{line[start:stop].strip()}", stop
    return f"{shown} …" if end < len(line) else shown
