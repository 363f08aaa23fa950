"""The sentences of a long answer that say most about what was asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.text.clip import both_ends
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
