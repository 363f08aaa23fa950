"""Parts of a long text that say most: of an error what it was, of any text what was searched for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

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


_WORD = late(r'"(?P<phrase>[^"]*)"?|(?P<word>\S+)')


def search_terms(query: str) -> list[str]:
    """The words of a query, and each phrase in double quotes as one, without repetitions and in lower case. Spaces
    within a phrase are single ones, as in what it's searched in."""
    found = (" ".join((match["phrase"] or match["word"] or "").split()) for match in _WORD.finditer(query))
    return list(dict.fromkeys(word.lower() for word in found if word))


def excerpt(text: str, needles: Sequence[str], limit: int = 160) -> tuple[str, list[tuple[int, int]]]:
    """Some of a text of one line around the first place with the longest of the needles that is in it, `limit`
    characters at most and an ellipsis where it's cut, with the places of all of them."""
    places = list(_places(text, needles))
    if len(text) <= limit or not places:
        return text[:limit], [place for place in places if place[1] <= limit]
    begin, end = min(places, key=lambda place: (place[0] - place[1], place[0]))
    begin = max(0, min(begin - max(0, limit - (end - begin)) // 3, len(text) - limit))
    cut = text[begin : begin + limit]
    before, after = "…" if begin else "", "…" if begin + limit < len(text) else ""
    # An ellipsis takes the place of a character, so that nothing moves.
    shown = before + cut[len(before) : limit - len(after)] + after
    return shown, [
        (max(start - begin, len(before)), min(stop - begin, limit - len(after)))
        for start, stop in places
        if len(before) < stop - begin and start - begin < limit - len(after)
    ]


def _places(text: str, needles: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the needles are, from left to right, without overlaps."""
    longest = sorted(needles, key=lambda needle: (-len(needle), needle))
    for match in re.finditer("|".join(map(re.escape, longest)), text, re.IGNORECASE):
        if match.group():
            yield match.span()
