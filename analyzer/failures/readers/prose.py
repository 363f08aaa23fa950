"""Whether a shell was given a sentence instead of a command."""

from __future__ import annotations

import re

from analyzer.text.late import late

_OPENING = late(
    r"(?P<first>[IA]|[^\W\d_a-z][a-zà-öø-ÿ]{1,20}(?:['’][a-z]{1,3})?)[,.!:;]?"
    r"(?:\s{1,4}(?:[^\W\d_]{1,20}(?:['’-][^\W\d_]{1,15})?|[`\"'][^`\"'\n]{1,80}[`\"'])[,.!?:;)]{0,2}){3}(?=\s|$)"
)
"""A capitalised word and three more, none of them an option, a path or a setting."""
_SPOKEN = late(
    (
        r"\b(?:the|an?|to|is|are|was|be|it|this|that|there|of|for|with|not|you|we|please|my|your)\b|[^\W\d_][.,:;!?]"
        r"(?:\s|$)"
    ),
    re.IGNORECASE,
)
"""What sentences have and commands seldom do."""
_NOT_RUN = late(
    r"^[^\n]{0,120}\b(?:not found|syntax error|unexpected EOF|parse error|unmatched)\b", re.IGNORECASE | re.MULTILINE
)
_LONGEST = 400
_LONGEST_RESULT = 4_000


def is_prose(line: str, result: str) -> bool:
    """Whether a command line is a sentence, and the shell's answer that it can't make anything of it: its first word is
    no program, or the line can't be read as a command at all."""
    line = line.lstrip()[:_LONGEST]
    found = _OPENING.match(line)
    if found is None or _SPOKEN.search(line, found.end("first")) is None:
        return False
    for said in _NOT_RUN.finditer(result[:_LONGEST_RESULT]):
        message = said.group()
        if "not found" not in message.casefold() or re.search(rf"\b{re.escape(found['first'])}\b", message):
            return True
    return False
