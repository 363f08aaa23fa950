"""Whether a text is what a check wants, condition by condition."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.model.scenario import TextCheck
from analyzer.model.struct import Struct
from analyzer.text.clip import clip
from analyzer.text.plain import plain
from analyzer.timeline.references import folded

_LONGEST = 2_000_000
"""Characters of a text that are looked at."""


class Condition(Struct, frozen=True):
    """One condition in words, as a predicate (`contains "x"`), whether a text fulfils it, and the offset of what shows
    that, where there is such a thing."""

    words: str
    fulfilled: bool
    at: int | None


def conditions(check: TextCheck, text: str) -> Iterator[Condition]:
    """Each condition of a check."""
    for words, value, fulfilled in _verdicts(check, text):
        at = None
        if words.startswith(("contains", "doesn't")):
            at = text.find(value)
        elif words.startswith("matches") and (found := re.search(value, text, re.MULTILINE)):
            at = found.start()
        yield Condition(words.format(clip(value, 80)), fulfilled, at if at is not None and at >= 0 else None)


def holds(check: TextCheck, text: str) -> bool:
    """Whether a text fulfils all conditions; one without any holds for every text."""
    return all(fulfilled for _, _, fulfilled in _verdicts(check, text))


def in_words(check: TextCheck) -> str:
    """What a check wants, in words."""
    return " and ".join(entry.words for entry in conditions(check, "")) or "anything"


def _verdicts(check: TextCheck, text: str) -> Iterator[tuple[str, str, bool]]:
    text = plain(text[:_LONGEST])
    if check.equals is not None:
        yield 'is "{}"', check.equals, text.strip() == check.equals.strip()
    for part in check.contains:
        yield 'contains "{}"', part, part in text or folded(part) in folded(text)
    for part in check.lacks:
        yield 'doesn\'t contain "{}"', part, part not in text
    if check.matches is not None:
        yield "matches /{}/", check.matches, re.search(check.matches, text, re.MULTILINE) is not None
    if check.lines is not None:
        count = sum(1 for line in text.splitlines() if line.strip())
        yield "has {} lines or more", str(check.lines), count >= check.lines
