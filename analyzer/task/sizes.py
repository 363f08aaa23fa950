"""Sizes in the user's words: at least so many words, exactly so many lines or items, at most so many."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from analyzer.task.prose import sentences
from analyzer.text.late import late

_NUMBERS = {
    name: number
    for number, name in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 2
    )
}
_NUMBER = rf"(?P<number>\d{{1,3}}(?:[, ]\d{{3}})+|\d{{1,6}}|{'|'.join(_NUMBERS)})"
_ITEMS = "items|entries|bullet points|bullets|elements|records"
_UNIT = rf"(?P<unit>words|lines|{_ITEMS})"
_SIZE = late(
    r"\b(?:(?P<least>at least|a minimum of|minimum|no (?:less|fewer) than|not (?:less|fewer) than)"
    r"|(?P<most>at most|a maximum of|maximum|no more than|not more than|no longer than|up to)"
    r"|(?P<exact>exactly|precisely))"
    rf" {_NUMBER} (?:\w+ )?{_UNIT}\b"
    rf"|\b{_NUMBER.replace('number', 'after')} {_UNIT.replace('unit', 'what')} (?:or (?P<more>more|longer)"
    r"|or (?P<fewer>less|fewer))\b",
    re.IGNORECASE,
)
_DEPENDS = late(
    r"\b(?:if|when|unless|each|every|per|for (?:each|every)|its|their|sections?|paragraphs?|functions?|methods?|title"
    r"|summary of|chapters?|answers? (?:to|with)|context|print|show|tail|head|read|first|last)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words with which a size may be that of a part, of something that is read, or of nothing."""
_LISTS = late(
    r"\b(?:lists?|files?|json|arrays?|write|give|name|contains?|ha[sv]e|has|put|holds?|include|with)\b", re.IGNORECASE
)
"""Words with which items are those of a list rather than of what a program does."""
_FILE = late(r"(?<![\w/.])(?P<path>(?:[\w@.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]{1,5})\b")
_BULLET = late(r"^(?:[-*+•]|\d{1,4}[.)])\s+\S")
_WORD = late(r"\w")
_UNSPACED = late(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""Scripts that put no blank between words."""


class Unit(StrEnum):
    """What is counted."""

    WORDS = "words"
    LINES = "lines"
    ITEMS = "items"


@dataclass(frozen=True, slots=True)
class Size:
    """One size that is asked for: the least and the most of the unit, None where there's no such bound, the file that
    the sentence names, and the sentence."""

    unit: Unit
    least: int | None
    most: int | None
    file: str | None
    sentence: str

    def missed_by(self, text: str) -> int | None:
        """How many `text` has, where that is too few or too many however it's counted; None where it may be right."""
        counts = _counts(self.unit, text)
        if not counts:
            return None
        if self.least is not None and max(counts) < self.least:
            return max(counts)
        return min(counts) if self.most is not None and min(counts) > self.most else None


def sizes_of(text: str) -> Iterator[Size]:
    """The sizes that a turn asks for the whole of something. What may be meant for a part is left out."""
    for sentence in sentences(text):
        found = list(_SIZE.finditer(sentence))
        if len(found) != 1 or _DEPENDS.search(sentence) is not None:
            continue
        size = found[0]
        number = _number(size["number"] or size["after"])
        unit = _unit(size["unit"] or size["what"])
        files = [match["path"] for match in _FILE.finditer(sentence)]
        if number is None or len(files) > 1 or (unit is Unit.ITEMS and _LISTS.search(sentence) is None):
            continue
        least = number if size["least"] or size["more"] or size["exact"] else None
        most = number if size["most"] or size["fewer"] or size["exact"] else None
        yield Size(unit, least, most, files[0] if files else None, sentence)


def _number(word: str) -> int | None:
    if word.lower() in _NUMBERS:
        return _NUMBERS[word.lower()]
    digits = re.sub(r"[, ]", "", word)
    return int(digits) if digits.isdigit() and int(digits) > 0 else None


def _unit(word: str) -> Unit:
    return {"words": Unit.WORDS, "lines": Unit.LINES}.get(word.lower(), Unit.ITEMS)


def _counts(unit: Unit, text: str) -> list[int]:
    """The numbers that different people would count; empty where nobody can know."""
    lines = text.splitlines()
    filled = sum(1 for line in lines if line.strip())
    if unit is Unit.LINES:
        return [len(lines), filled]
    if unit is Unit.WORDS:
        if _UNSPACED.search(text) is not None:
            return []
        words = text.split()
        return [len(words), sum(1 for word in words if _WORD.search(word)), len(re.findall(r"\w+", text))]
    try:
        value = json.loads(text)
    except RecursionError:
        return []
    except ValueError:
        bullets = sum(1 for line in lines if _BULLET.match(line))
        return [bullets] if bullets and bullets == filled else []
    return [len(value)] if isinstance(value, list) else []
