"""Words and phrases that a text is searched for, and where they are in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.text.expressions import compiled

_WORD = compiled(r'"(?P<phrase>[^"]*)"?|(?P<word>\S+)')


def search_terms(query: str) -> list[str]:
    """The words of a query, and each phrase in double quotes as one, without repetitions and in lower case. Spaces
    within a phrase are single ones, as in what it's searched in."""
    found = (" ".join((match["phrase"] or match["word"] or "").split()) for match in _WORD.finditer(query))
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
