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
_WORDS = late(r"[a-z]{1,20}[,.!:;]?(?:[ \t]{1,4}[^\W\d_]{1,20}(?:['’-][^\W\d_]{1,15})?[,.!?:;]{0,2}){6}(?=\s|$)")
"""Seven words, none of them an option, a path or a setting."""
_LITTLE = late(
    r"\b(?:the|an?|to|is|are|was|be|it|this|that|of|for|with|not|as|or|and|you|we|my|your|can|cannot|will)\b"
)
_VERBS = frozenset({"is", "are", "was", "be", "can", "cannot", "will"})
_MANY_LITTLE = 3
"""Different little words that make a run of words a sentence: a command may name things of two or three of them."""
_LONGEST = 400
_LONGEST_RESULT = 4_000


def is_prose(line: str, result: str) -> bool:
    """Whether a command line is a sentence, and the shell's answer that it can't make anything of it: its first word is
    no program, or the line can't be read as a command at all."""
    line = line.lstrip()[:_LONGEST]
    found = _OPENING.match(line)
    if found is None:
        return _is_lower_case_prose(line, result)
    if _SPOKEN.search(line, found.end("first")) is None:
        return False
    for said in _NOT_RUN.finditer(result[:_LONGEST_RESULT]):
        message = said.group()
        if "not found" not in message.casefold() or re.search(rf"\b{re.escape(found['first'])}\b", message):
            return True
    return False


def _is_lower_case_prose(line: str, result: str) -> bool:
    """Whether a line without a capital is a long run of words, one of the first two of which is said to be no program:
    `command` is a program that runs the next word."""
    found = _WORDS.match(line)
    little = set(_LITTLE.findall(line.partition("\n")[0])) if found is not None else set()
    if found is None or len(little) < _MANY_LITTLE or not little & _VERBS:
        return False
    first = found.group().split()[:2]
    return any(
        re.search(rf"(?:^|[\s:]){re.escape(word.rstrip(',.'))}: (?:command )?not found", result[:_LONGEST_RESULT])
        for word in first
    )
