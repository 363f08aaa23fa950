"""Whether a failure is what the task asks for: the program is to refuse what it was given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind
from analyzer.text.late import late

_ASKED = 30_000
_LEAST_WORDS = 3
_LEAST_LETTERS = 14
"""How much of a message another text must hold for it to be named there."""
_MOST_WORDS = 60
_BEFORE = 90
"""Characters before a quoted message that say whether it's wanted."""
_WORD = late(r"\w+")
_MUST_COME = late(
    r"\b(?:should|must|shall|ought to|needs? to|has to|have to|want\w*|(?:is|are) expected to)"
    r"\b(?! not\b|n['’]t)[^.!?\n]{0,60}$",
    re.IGNORECASE,
)
"""Words before a message by which it's wanted: `instead it raises KeyError` tells of a fault."""
_ASKED_FOR = frozenset({FailureKind.EXCEPTION, FailureKind.USAGE, FailureKind.OTHER})
"""Failures that a program is meant to have for what it's given."""


def is_wanted(fault: Failure, task: str) -> bool:
    """Whether the task asks for a failure: it names its message or its type, and each time as what must come."""
    if fault.kind not in _ASKED_FOR:
        return False
    before = _holds(task[:_ASKED], fault)
    if before is None and fault.type is not None and not fault.labelled:
        name = re.escape(fault.type.rsplit(".", 1)[-1])
        places = re.finditer(rf"(?<!\w){name}(?!\w)", task[:_ASKED])
        before = [task[max(0, found.start() - _BEFORE) : found.start()] for found in places]
    return bool(before) and all(_MUST_COME.search(words) for words in before or ())


def _holds(text: str, fault: Failure) -> list[str] | None:
    """What stands before each place of a text that holds a run of words of a failure's message; None where none
    does."""
    words = _WORD.findall(fault.message)[:_MOST_WORDS]
    for run in _runs(words):
        joined = r"\W{1,4}".join(map(re.escape, run))
        places = list(re.finditer(rf"(?<!\w){joined}(?!\w)", text))
        if places:
            return [text[max(0, found.start() - _BEFORE) : found.start()] for found in places]
    return None


def _runs(words: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(len(words) - _LEAST_WORDS + 1):
        for end in range(start + _LEAST_WORDS, min(len(words), start + 2 * _LEAST_WORDS) + 1):
            if sum(map(len, words[start:end])) >= _LEAST_LETTERS:
                yield words[start:end]
                break
