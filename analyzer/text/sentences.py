"""Prose, sentence by sentence, with where each one stands.

The one splitter: a full stop within a code span, a version (`1.2`), an abbreviation or the number of a list's item ends
nothing, a full stop of Chinese or Japanese ends a sentence without a blank behind it, each item of a list, each heading
and each row begins one, and a sentence may go on in the next line of a text that is wrapped. Fenced code isn't prose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.model.struct import Struct
from analyzer.text.late import late
from analyzer.text.markdown import without_fences
from analyzer.text.names import name_set

_CODE = late(r"(?P<ticks>`{1,3})(?!`)[^`\n]{1,400}(?<!`)(?P=ticks)(?!`)")
_END = late(r"(?P<stop>[.!?…]{1,10})[)\]\"'”’»*_]{0,4}(?:\s+|\Z)|[。！？]{1,10}[)）」』”’]{0,2}\s*|\n\s*")
_MARK = late(r"\s*(?:(?:[-*+•–]|\d{1,3}[.)]|#{1,6}|>|\|)[ \t]+(?:\[[ xX]\][ \t]+)?|\[[ xX]\][ \t]+)*")
"""What stands before a sentence and isn't part of it: marks of lists, headings, quotations, tables and tasks."""
_WRAPPED = 50
"""Characters of a line from which on the next one may go on with its sentence."""
_NEVER_LAST = name_set("al approx bzw ca cf dr e.g eg fig i.e ie incl mr mrs ms pp prof resp sec st vs z.b")
"""Abbreviations behind which a sentence goes on, without their last full stop."""
_WORD = late(r"[\w.]{1,12}\Z")


class Sentence(Struct, frozen=True):
    """A sentence on one line, without marks of lists before it, and where it is in its text."""

    text: str
    start: int
    end: int


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text in their order; what has neither letter nor digit is none."""
    prose = without_fences(text)
    scanned = _CODE.sub(lambda found: "`" * len(found[0]), prose) if "`" in prose else prose
    found: list[Sentence] = []
    start = 0
    for end in _END.finditer(scanned):
        if not _ends(scanned, start, end):
            continue
        _add(found, prose, start, end.start() + len(end[0].rstrip()))
        start = end.end()
    _add(found, prose, start, len(prose))
    return found


def _add(found: list[Sentence], text: str, start: int, end: int) -> None:
    mark = _MARK.match(text, start, end)
    start = mark.end() if mark is not None else start
    said = text[start:end]
    if any(sign.isalnum() for sign in said):
        found.append(Sentence(" ".join(said.split()), start, start + len(said.rstrip())))


def _ends(text: str, start: int, end: re.Match[str]) -> bool:
    """Whether a sentence ends at a place that looks so."""
    following = text[end.end() : end.end() + 1]
    if end["stop"] == "." and "\n" not in end[0]:
        if _MARK.fullmatch(text, start, end.end()) is not None:
            return False
        word = _WORD.search(text, max(start, end.start() - 12), end.start())
        if word is not None and (word[0].casefold() in _NEVER_LAST or (len(word[0]) == 1 and word[0].isupper())):
            return False
        return word is None or word[0].casefold() != "etc" or not following.islower()
    if end["stop"] or "\n" not in end[0]:
        return True
    line = text.rfind("\n", 0, end.start()) + 1
    wrapped = end[0].count("\n") == 1 and end.start() - line >= _WRAPPED and following.islower()
    return not wrapped or text[end.start() - 1] in ":;"


_LONG_WORD = late(r"[A-Za-z]{4,}|\d+|[\w./]{5,}")
_STEPS = late(r" \(steps? [^()]*\)")
_SAID = 0.85
"""The share of its words that make a sentence one that was said already."""


def repeats(sentence: str, said: Sequence[str]) -> bool:
    """Whether texts say what a sentence says, by nearly all of its words, apart from its steps in brackets."""
    known = {word for text in said for word in _LONG_WORD.findall(text.lower())}
    words = _LONG_WORD.findall(_STEPS.sub("", sentence).lower())
    return sum(word in known for word in words) >= _SAID * len(words)
