"""Answers of a tool or a model that say that what it should have got isn't there."""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"[^.!?\n]{1,600}(?:[.!?](?!\w)|\n|$)")
_MISSING = re.compile(
    r"\bI (?:do not|don't|did not|didn't|cannot|can't|no longer) (?:actually |currently |yet )?(?:have|see|find"
    r"|get|receive|know)\b"
    r"|\bI (?:have|see|was given|received|got|found) no\b"
    r"|\b(?:was|were|has been|have been)(?:n't| not| never) (?:passed|provided|given|included|attached|shared"
    r"|sent|shown)\b"
    r"|\bno [\w ,'-]{1,60}? (?:was|were|has been|have been|is|are) (?:passed|provided|given|included|attached"
    r"|shared|sent|shown|available|visible)\b"
    r"|\byou (?:did not|didn't|haven't|have not) (?:provided?|included?|attach(?:ed)?|shared?|pasted?|given?|sent)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:please|could you|can you)(?: please)? (?:provide|share|paste|send|attach|include|supply)\b", re.IGNORECASE
)
_LONGEST = 2_000
"""Answers that are longer hold more than the news that something is missing."""


def says_missing(answer: str) -> str | None:
    """The sentences of a short answer that say that its input is missing, or ask for it; None for any other answer."""
    text = answer.strip()
    if not text or len(text) > _LONGEST:
        return None
    said = [match.group().strip() for match in _SENTENCE.finditer(text.replace("\u2019", "'"))]
    telling = [sentence for sentence in said if _MISSING.search(sentence) or _ASKS.search(sentence)]
    return " ".join(telling[:3]) if any(_MISSING.search(sentence) for sentence in telling) else None
