"""Values that the user quotes as what comes out now, and objects to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.text.late import late

_LONGEST = 30_000
_PRINTS = late(
    r"(?P<wanted>\b(?:should|must|shall|ought to|has to|have to|needs? to|expect(?:ed|s)?|correctly|supposed to|want"
    r"(?:ed|s)?|would|will|to|properly)[^.`\n]{0,25})?"
    r"\b(?:returns?|gives?|prints?|outputs?|produces?|yields?|shows?|displays?|evaluates to)\b[^.`\n]{0,20}"
    r"`(?P<value>[^`\n]{6,80})`(?P<after>[^\n]{0,200})",
    re.IGNORECASE,
)
_OBJECTS = late(
    r"\A[,.;]?[\s(]*(?:(?:which|this|that|it) )?(?:(?:is|are|'s) (?:clearly |obviously |just |simply |of course )?"
    r"(?:wrong|incorrect|not (?:correct|right)|a bug)\b"
    r"|(?:[^.`]{0,20}\b)?(?:don['’]t|do not) think (?:this|that|it) should (?:be|have)\b"
    r"|(?:should(?:n['’]t| not) (?:be|have)\b))",
    re.IGNORECASE,
)
_DIGIT = late(r"\d")
_LEAST_DIGITS = 4
"""Digits that make a value one that no other result is likely to print."""


@dataclass(frozen=True, slots=True)
class WrongValue:
    """A value as the user quotes it, and the words that object to it."""

    value: str
    said: str


def wrong_values_of(text: str) -> Iterator[WrongValue]:
    """The values of which the user says that they come out and are wrong. A short one is none that could be found
    again, and one that the text quotes elsewhere as well may be meant to stay somewhere."""
    shown = text[:_LONGEST]
    for found in _PRINTS.finditer(shown):
        value, objection = found["value"].strip(), _OBJECTS.match(found["after"])
        if objection is None or found["wanted"] or len(_DIGIT.findall(value)) < _LEAST_DIGITS:
            continue
        if shown.count(value) == 1:
            ends = found["after"].find(".", objection.end())
            rest = found["after"] if ends < 0 else found["after"][:ends]
            yield WrongValue(value, rest.strip(" .,;"))
