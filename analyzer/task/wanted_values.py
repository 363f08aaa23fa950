"""Values of which the user says that they should come out in place of others."""

from __future__ import annotations

import re

from analyzer.text.late import late

_LONGEST = 30_000
_MOST = 50
_BEFORE, _AFTER = 80, 60
_WANTED = late(
    r"\b(?:should|shall|must|ought|expect\w*|supposed|want\w*|correct(?:ly)?|desired|right (?:answer|result|value)"
    r"|(?:have|has|needs?) to)\b",
    re.IGNORECASE,
)
_IN_PLACE = late(r"\b(?:instead of|rather than|in place of)\b[\s`\"'*(]{0,6}\Z", re.IGNORECASE)
_IS_RIGHT = late(
    r"\A[ `\"'*)]{0,6}(?:(?:is|was|are|were|would be|seems(?: to be)?|looks) (?:the |what |actually )*(?:correct|right"
    r"|expected|wanted|desired|(?:i|we|one) (?:\w+ )?expect)|(?:was |is )?expected\b(?!:))",
    re.IGNORECASE,
)
_NOT = late(r"(?:\bnot|n['’]t)\s(?:\w+\s){0,2}[\s`\"'*(]{0,6}\Z", re.IGNORECASE)
_SENTENCE_ENDS = late(r"[.!?]\s+(?=[A-Z`])|\n\s*\n")


def wants_instead(task: str, wrong: str, right: str) -> bool:
    """Whether a task names two values and says of `right` that it should come out: "prints 3, should print 4", "4 is
    correct", "3 instead of 4", "Expected: 4"."""
    said = task[:_LONGEST]
    if wrong == right or _whole(wrong).search(said) is None:
        return False
    places = (found for found, _ in zip(_whole(right).finditer(said), range(_MOST), strict=False))
    return any(_is_wanted(said, found, wrong) for found in places)


def _is_wanted(said: str, found: re.Match[str], wrong: str) -> bool:
    before = said[max(0, found.start() - _BEFORE) : found.start()]
    before = _SENTENCE_ENDS.split(before)[-1]
    if _IS_RIGHT.match(said[found.end() : found.end() + _AFTER]) is not None:
        return True
    if _NOT.search(before) is not None:
        return False
    wishes = list(_WANTED.finditer(before))
    in_place = _IN_PLACE.search(before)
    if in_place is not None:
        return _whole(wrong).search(before) is not None and not any(wish.end() <= in_place.start() for wish in wishes)
    return bool(wishes) and _whole(wrong).search(before, wishes[-1].end()) is None


def _whole(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.+-]){re.escape(value)}(?!\w|[.,]\d|-\w)")
