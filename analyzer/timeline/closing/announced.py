"""Last words that announce what doesn't follow: no answer, and nothing that was done."""

from __future__ import annotations

import re

from analyzer.text.late import late

_SENTENCE = late(r"(?<=[.!?…。])\s+|\n+")
_OWN = late(
    r"^\W{0,4}(?:(?:now|next|first|then|so|ok(?:ay)?|great|good|perfect|alright|and|but)\b[,!]? ?){0,3}"
    r"(?:let me|let['’]s|I['’]ll|I will|I['’]m going to|I am going to|I need to|we['’]ll|we will)\s+"
    r"(?!know\b|be\b|wait\b|leave\b|stop\b|not\b|never\b|stay\b|remember\b|keep\b|assume\b|have\b|need\b|hear\b)[a-z]",
    re.IGNORECASE,
)
_OF_THE_USER = late(
    r"\b(?:if|once|when|whenever|as soon as|unless|after|until|should) (?:you|it|that|this|there|the)\b|\?"
)
_SHORT = 400
"""Characters up to which a text is nothing but the announcement; what is longer says something as well."""


def announces(text: str) -> bool:
    """Whether a text is short and ends by saying what the agent is about to do: with a colon, in any language, or with
    a sentence in the first person that waits for nobody."""
    said = text.strip()
    if not said or len(said) > _SHORT:
        return False
    last = [part for part in _SENTENCE.split(said) if part.strip(" *_`-")][-1:]
    if not last:
        return False
    if said.rstrip("*_ ").endswith((":", "：")):
        return True
    return _OWN.match(last[0]) is not None and _OF_THE_USER.search(last[0]) is None
