"""Parts of a long text that say most: of an answer what was asked, of an error what it was, of a text what was searched
for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from analyzer.text.clip import both_ends, clip_words
from analyzer.text.expressions import compiled
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.text.sentences import sentences

_LONGEST = 12_000
_LEAST, _MOST_LEFT_OUT = 3, 120
"""Sentences from which on a choice is made, and up to which."""
_LEFT_OUT = "(…)"
_WORD = late(r"[^\W\d_]{4,}")
_STEM = 6
_VALUE = late(r"\d|[$€£%]")
_RESULT = late(
    r"\b(?:answer|result|conclusion|therefore|thus|hence|in total|final(?:ly)?|overall|in summary|summary|verdict"
    r"|recommend\w*|means that|found|because|cause[ds]?|root cause)\b",
    re.IGNORECASE,
)
_COURTESY = late(
    r"\A\W*(?:let me know|please (?:let|feel)|feel free|i hope|happy to|sure\b|certainly|great\b|thank"
    r"|[A-Z_ ]{4,20}\W*\Z|i believe we can)",
    re.IGNORECASE,
)
_TOO_COMMON = name_set("that this with from have what which when where will would could should your there these")
_FOR_A_VALUE = late(
    r"\bhow (?:many|much|likely|long|often|far|old|large|big|high|deep)\b|\b(?:percent(?:age)?|number|amount"
    r"|probability|date|year|price|total|value|ratio|rate|count) (?:of|is|was|that|do|does|are)\b"
    r"|\bin percent(?:age)?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Part:
    place: int
    text: str
    weight: float


def answering(text: str, asked: str, limit: int) -> str:
    """`text` on one line of about `limit` characters. Where a value was `asked` for, whole sentences in their order,
    with a mark for those that are left out: those are kept that share words with the question, hold values, or begin or
    end the text. Everything else, and a text without sentences that fit, is shown by both its ends."""
    if len(text) <= limit or len(text) > _LONGEST or _FOR_A_VALUE.search(asked[:_LONGEST]) is None:
        return both_ends(text, limit)
    said = [sentence.text for sentence in sentences(text)]
    if not _LEAST <= len(said) <= _MOST_LEFT_OUT:
        return both_ends(text, limit)
    words = _words(asked)
    parts = [_Part(place, part, _weight(place, part, len(said), words)) for place, part in enumerate(said)]
    chosen: list[_Part] = []
    room = limit
    for part in sorted(parts, key=lambda part: (-part.weight, part.place)):
        size = len(part.text) + len(_LEFT_OUT) + 2
        if size <= room:
            chosen.append(part)
            room -= size
    heaviest = max(parts, key=lambda part: (part.weight, -part.place))
    if heaviest not in chosen or _VALUE.search(heaviest.text) is None:
        return both_ends(text, limit)
    return _joined(sorted(chosen, key=lambda part: part.place), len(said))


def _joined(chosen: list[_Part], count: int) -> str:
    shown, before = "", -1
    for part in chosen:
        gap = f"{_LEFT_OUT} " if part.place > before + 1 else ""
        shown, before = f"{shown} {gap}{part.text}".lstrip(), part.place
    return shown if before == count - 1 else f"{shown} {_LEFT_OUT}"


def _weight(place: int, text: str, count: int, asked: frozenset[str]) -> float:
    shared = len(_words(text) & asked)
    weight = min(3.0, 0.8 * shared) + 1.5 * bool(_VALUE.search(text)) + 1.2 * bool(_RESULT.search(text))
    weight += 0.5 * ("**" in text) + 1.0 * (place == 0) + 0.8 * (place == count - 1)
    return weight - 3.0 * bool(_COURTESY.search(text))


def _words(text: str) -> frozenset[str]:
    found = (word.casefold() for word in _WORD.findall(text[:_LONGEST]))
    return frozenset(word[:_STEM] for word in found if word not in _TOO_COMMON)


_HEAD = late(r"[^{\n]{3,160}(?=\{)")
_BY_SERVICE = late(r"\b[45]\d\d\b|\w(?:API|Request|Status|Service|Client|Limit)Error\b|\bAPI ?Error\b|Exception\b")
_MESSAGE = late(
    r"""(?i)['"](?:message|detail|error_description)['"]: ?(?P<q>['"])(?P<said>.{3,400}?)(?:[.!?](?=\s)|(?P=q))"""
)
_CODE = late(r"""(?i)['"](?:code|error_?code|reason|type)['"]: ?(?:['"][\w .:/-]{3,60}['"]|(?P<number>\d{3,6})\b)""")
_HELD_BACK = late(
    r"""(?i)['"]\w{3,40}['"]: ?\{[^{}]{0,120}?['"](?:filtered|detected|blocked|exceeded)['"]: ?true[^{}]{0,80}\}"""
)
_BETWEEN = " … "
_LEAST_SAID = 20
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
    length = len(head[0].strip()) + len(_BETWEEN)
    for pattern in (_CODE, _HELD_BACK):
        for found in pattern.finditer(line):
            told = found["number"] if pattern is _CODE else None
            size = len(found[0]) + len(_BETWEEN)
            if (told is None or told not in head[0]) and length + size <= limit:
                pieces.append(found.span())
                length += size
    message = _MESSAGE.search(line)
    room = limit - length - len(_BETWEEN)
    if message is not None and room >= _LEAST_SAID:
        said = message["said"] if len(message["said"]) <= room else clip_words(message["said"], room).rstrip("…")
        pieces.append((message.start("said"), message.start("said") + len(said)))
    if len(pieces) == 1:
        return cut(text, limit)
    shown, end = "", 0
    for start, stop in sorted(pieces):
        if start >= end:
            between = _BETWEEN if line[end:start].strip() else " "
            shown, end = f"{shown}{between if shown else ''}{line[start:stop].strip()}", stop
    return f"{shown} …" if end < len(line) else shown


_TERM = compiled(r'"(?P<phrase>[^"]*)"?|(?P<word>\S+)')


def search_terms(query: str) -> list[str]:
    """The words of a query, and each phrase in double quotes as one, without repetitions and in lower case. Spaces
    within a phrase are single ones, as in what it's searched in."""
    found = (" ".join((match["phrase"] or match["word"] or "").split()) for match in _TERM.finditer(query))
    return list(dict.fromkeys(word.lower() for word in found if word))


def one_line(text: str) -> str:
    """The text with every stretch of white space as one space."""
    return " ".join(text.split())


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
