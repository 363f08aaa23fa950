"""What an agent's last words admit."""

from __future__ import annotations

import re

from analyzer.text.expressions import compiled
from analyzer.text.late import late

_GAVE_UP = late(
    r"\b(?:unable to (?:continue|proceed|complete|resolve|fix|find|get)|can(?:'t|not|no longer) (?:continue"
    r"|proceed|complete|be completed)|giv(?:e|ing) up|"
    r"stop(?:ping)? here|have(?:n't| not) (?:found|been able|managed)|outside the capabilities|could(?:n't| not) "
    r"(?:complete|finish|resolve|fix|get|find|make)|did(?:n't| not) (?:manage|succeed)|was(?:n't| not) able to"
    r"|am(?: not|n't) able to|"
    r"without (?:having )?(?:fix|resolv|solv)\w+|I(?:'m| am) (?:stuck|out of ideas))",
    re.IGNORECASE,
)
_UNDONE = late(
    r"\b(?:could(?: not|n['’]t)|(?:was|am|were)(?: not|n['’]t) able to|unable to|failed to) (?:be )?(?:push|publish"
    r"|deploy|open|send|upload|submit|merge|commit|create|install|start|reach|complete|finish|verify|run)\w*\b",
    re.IGNORECASE,
)
_SENTENCE_END = compiled(r"[.!?]\s+|\n\s*")
_CLAUSE_END = compiled(r"[,;:]\s+")
_WORD_END = compiled(r"\s+")
_LEAD = 60
"""How many characters before the words are quoted at most, unless there is no space among them."""


def gave_up(text: str) -> str:
    """The end of `text` from the sentence in which the agent gives up; empty where it doesn't."""
    return _quoted(text, _GAVE_UP)


def left_undone(text: str) -> str:
    """The end of `text` from the sentence that says of a part that it couldn't be done; empty where none does."""
    return _quoted(text, _UNDONE)


def _quoted(text: str, admits: re.Pattern[str]) -> str:
    found = admits.search(text)
    return _from_sentence(text, found.start()) if found is not None else ""


def _from_sentence(text: str, position: int) -> str:
    """The text from the beginning of the sentence in which `position` lies; of a long one from the last clause, else
    the words that lead to it."""
    for boundary in (_SENTENCE_END, _CLAUSE_END, _WORD_END):
        near = [
            start
            for start in (0, *(found.end() for found in boundary.finditer(text, 0, position)))
            if position - start <= _LEAD
        ]
        if near:
            return text[near[0] :]
    return text[position:]
