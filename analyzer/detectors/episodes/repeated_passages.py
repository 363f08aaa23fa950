"""Repetition within one message: the same sentence or block again and again, where people write lists, tables and code
for that. Degenerate output of a model looks like this, whether it has words or not."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from dataclasses import dataclass

from analyzer.text.late import late

TIMES = 10
"""How often a block must come in a row, or a sentence in a message."""
_NUMBERED_TIMES = 20
"""How often a sentence must come whose numbers run on."""
_FEWEST = 200
"""Characters that the repetition must cover."""
_LONGEST = 40_000
"""Characters of a message that are looked at, from its beginning and its end."""
_WINDOW = 1_200
_DENSE = 0.25
"""Share of its size to which a window of ordinary prose can't be compressed."""
_PROBE = 24
_LONGEST_BLOCK = 600
_SENTENCE = 15
"""Characters of a sentence below which saying it often means nothing."""
_SHARE = 0.3
"""Share of a message that its commonest sentence must cover."""
_FENCE = late(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_LAID_OUT = late(
    r"^(?:[ \t]*(?:[-*+•]|\d{1,4}[.)]|\||#{1,6}|>)\s.*|[ \t]*\|.*|(?: {4}|\t).*|[-=_*+|: ]{3,})$", re.MULTILINE
)
"""Lists, tables, headings, quotations, indented code and rules."""
_ENDS = late(r"(?<=[.!?…])\s+|\n+")
_NUMBER = late(r"\d+")
_WORDS = late(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class RepeatedPassage:
    """What a message says again and again, and how often."""

    words: str
    times: int


def repeated_passage(text: str) -> RepeatedPassage | None:
    """What a message says at least ten times, lists, tables and code left aside; None for ordinary prose."""
    if len(text) < _FEWEST or not _may_chant(text):
        return None
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]}\n{text[-_LONGEST // 2 :]}"
    prose = _LAID_OUT.sub("", _FENCE.sub("\n", text))
    return _block(" ".join(prose.split())) or _sentence(prose)


def _may_chant(text: str) -> bool:
    """Whether any part of a text can be compressed as prose can't."""
    data = text[:_LONGEST].encode("utf-8", "replace")
    return any(
        len(zlib.compress(data[start : start + _WINDOW], 1)) < _DENSE * min(_WINDOW, len(data) - start)
        for start in range(0, max(1, len(data) - _FEWEST), _WINDOW // 2)
    )


def _block(prose: str) -> RepeatedPassage | None:
    """The block that comes most often in a row."""
    position = 0
    while position + _FEWEST <= len(prose):
        probe = prose[position : position + _PROBE]
        again = prose.find(probe, position + 1, position + _LONGEST_BLOCK + _PROBE)
        if again < 0:
            position += _PROBE
            continue
        period, end = again - position, again
        while end < len(prose) and prose[end] == prose[end - period]:
            end += 1
        count, covered = (end - position + 1) // period, end - position
        if count >= TIMES and covered >= _FEWEST and _WORDS.search(prose[position:again]):
            return RepeatedPassage(prose[position:again].strip(), count)
        position = max(end - period, position + _PROBE)
    return None


def _sentence(prose: str) -> RepeatedPassage | None:
    """The sentence that comes most often."""
    sentences = [found for part in _ENDS.split(prose) if len(found := " ".join(part.split())) >= _SENTENCE]
    if len(sentences) < TIMES:
        return None
    for times, said in ((TIMES, sentences), (_NUMBERED_TIMES, [_NUMBER.sub("0", entry) for entry in sentences])):
        words, count = Counter(said).most_common(1)[0]
        if count >= times and count * len(words) >= max(_FEWEST, _SHARE * len(prose)) and _WORDS.search(words):
            return RepeatedPassage(sentences[said.index(words)], count)
    return None
