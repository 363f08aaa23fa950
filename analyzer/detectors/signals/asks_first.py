"""Words before a call by which the user is to be asked, and words by which a user doesn't know something."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.text.late import late
from analyzer.text.sentences import sentences

_ASKS = late(
    r"\b(?:response|reply|answer|action|step|agent|I|we)\b[^.\n]{0,40}\b(?:is|should|must|needs? to|will|have to)\b"
    r"[^.\n]{0,30}\b(?:ask|asking|request|requesting)\b[^.\n]{0,20}\b(?:user|customer|them|him|her|for|the)\b",
    re.IGNORECASE,
)
_OVER = late(r"\b(?:transfer|hand|escalat|human|representative|not ask|instead of asking)", re.IGNORECASE)
_HASNT = (
    r"\b(?:don['’]t|do not|can['’]t|cannot|didn['’]t|couldn['’]t)\b(?: \w+){{0,2}} "
    r"(?:remember|recall|know|have|find)\b[^.!?\n]{{0,60}}\b{words}\b"
)
_LAST, _WORDS = 2, 4


def says_to_ask(said: str) -> str | None:
    """The sentence among the last ones before a call that says that the user is to be asked for something; None where
    there's none, or one of them speaks of handing over."""
    parts = [sentence.text for sentence in sentences(said[-2_000:])]
    last = [part for part in parts if len(part.split()) >= _WORDS][-_LAST:]
    if any(_OVER.search(part) is not None for part in last):
        return None
    return next((part for part in reversed(last) if _ASKS.search(part) is not None), None)


def says_unknown(argument: str, heard: Sequence[str]) -> str | None:
    """The user's sentence that says that what an argument is for isn't remembered or at hand."""
    words = r"[ _]?".join(re.escape(word) for word in re.split(r"[_\s]+", argument) if word)
    if not words:
        return None
    pattern = re.compile(_HASNT.format(words=words), re.IGNORECASE)
    parts = (sentence.text for text in heard for sentence in sentences(text[-20_000:]))
    return next((part for part in parts if pattern.search(part) is not None), None)
