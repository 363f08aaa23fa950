"""Whether the value that a refusal names is the one that the test passed.

A message that says `berth code 'A12' has no dash` beside a test that passes `"A-12"` speaks of what the implementation
made of the value, not of what it was given. Spaces, signs and letter case that any reader of codes takes away are no
such difference, unless the message complains of just that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from analyzer.model.failure import CodeLine
from analyzer.text.late import late
from analyzer.text.similarity import alike

_WORD = late(r"['\"`‘“]([^'\"`’”\n]{1,60})['\"`’”]|(?<![\w@+.:/-])([\w@+.:/-]*\d[\w@+.:/-]*)(?![\w])")
_STRING = late(r"'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"|`([^`\n]{1,80})`")
_NUMBER = late(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_KEY = late(r"(?<=[\w)\]])\[[^\]\n]{0,80}\]|\.(?:get|at|fetch)\([^()\n]{0,80}\)")
_SEPARATOR = late(r"[,;|\s]|\\n|\\t")
_NAMED = {
    "-": late(r"\b(?:dash|hyphen|minus)", re.IGNORECASE),
    ".": late(r"\b(?:dot|period|decimal point|domain|extension)\b", re.IGNORECASE),
    ",": late(r"\bcomma", re.IGNORECASE),
    ":": late(r"\bcolon", re.IGNORECASE),
    ";": late(r"\bsemicolon", re.IGNORECASE),
    "/": late(r"\bslash", re.IGNORECASE),
    "_": late(r"\bunderscore", re.IGNORECASE),
    "@": late(r"\bat[- ]sign|\bdomain\b|e-?mail", re.IGNORECASE),
    "#": late(r"\bhash\b", re.IGNORECASE),
    "+": late(r"\bplus\b", re.IGNORECASE),
    " ": late(r"\b(?:space|blank|word)s?\b", re.IGNORECASE),
}
"""Signs and the words by which a message speaks of them."""
_CASE = late(r"\b(?:upper|lower|capital|case|unknown|unsupported|no such|not (?:in|one of|found|known))", re.IGNORECASE)
"""What a message says where the case of letters decides."""
_LACKS = late(r"\b(?:no|without|missing|lacks?|needs?|expected)(?: an?| the)? $", re.IGNORECASE)
_LAST_WORD = late(r": ([\w@+][\w.@+/-]{1,60}[\w/])$")
"""The value with which a message ends: `unknown unit: kms`."""
_ALIKE = 75.0
_LEAST = 3


def changed_on_the_way(message: str, call: str, lines: Iterable[str]) -> bool:
    """Whether a test's line that makes the call, or another line of the test, shows a value much like the one that the
    message refuses, but none shows that one, so that the implementation must have changed it."""
    shown = [call, *lines]
    refused = list(dict.fromkeys(found[1] or found[2] for found in _WORD.finditer(message)))
    if any(holds(line, value) for value in refused for line in shown if len(value) > 1):
        return False
    passed = list(_literals(call, parts=False))
    if any(_alike(value, given, message) for given in passed for value in refused):
        return True
    return any(_made_of(value, given, message) for line in shown for given in _literals(line) for value in refused)


def contradicts_itself(message: str) -> bool:
    """Whether a message misses a sign in a value in which it stands: `no colon in 'web:80'`. Then it's the check that
    is wrong."""
    refused = [found[1] for found in _WORD.finditer(message) if found[1]]
    return any(
        sign in value and (lacking := named.search(message)) is not None and _LACKS.search(message[: lacking.start()])
        for sign, named in _NAMED.items()
        for value in refused
    )


def speaks_of(message: str, lines: Iterable[CodeLine]) -> Iterator[CodeLine]:
    """The lines that hold a value that a message names, or one that differs from it only in its signs and letter
    case."""
    refused = {_bare(value) for value in named_values(message)}
    for line in lines if refused else ():
        if any(_bare(given) in refused for given in _literals(line.text)):
            yield line


def named_values(message: str) -> list[str]:
    """The values of a message that hold a digit or are in quotation marks, and are long enough to tell."""
    found = [match[1] or match[2] for match in _WORD.finditer(message)]
    if (last := _LAST_WORD.search(message)) is not None:
        found.append(last[1])
    return [value for value in dict.fromkeys(found) if len(value) >= _LEAST and len(_bare(value)) >= _LEAST]


def has_literal(line: str) -> bool:
    """Whether a line of code holds a string or a number, keys by which it takes something out of a container aside."""
    return any(True for _ in _literals(_KEY.sub("", line)))


def holds(line: str, value: str) -> bool:
    """Whether a value is in a line by itself, or as one of several in a string."""
    return re.search(rf"(?<![\w.-]){re.escape(value)}(?!\w)", line) is not None or value in _literals(line)


def _literals(line: str, *, parts: bool = True) -> Iterator[str]:
    for found in _STRING.finditer(line):
        text = next(filter(None, found.groups()), "")
        yield text
        if parts:
            yield from (part for part in _SEPARATOR.split(text) if part != text)
    yield from (f"#{found[0]}" for found in _NUMBER.finditer(_STRING.sub("", line)))


def _made_of(refused: str, given: str, message: str) -> bool:
    """Whether what is refused was made of what was given, in a way that can be the reason of the refusal."""
    if given == refused or len(given) < _LEAST or len(refused) < _LEAST:
        return False
    if _bare(given) == _bare(refused):
        gone = set(given) - set(refused)
        lost = any(
            sign in gone and (sign in message.replace(" ", "") or named.search(message))
            for sign, named in _NAMED.items()
        )
        same_signs = "".join(given.split()).casefold() == "".join(refused.split()).casefold()
        return lost or (same_signs and given.strip() != refused and _CASE.search(message) is not None)
    return False


def _alike(refused: str, given: str, message: str) -> bool:
    """Whether a value that the call itself passes is another one than the refused, but only just."""
    if given.startswith("#"):
        return refused == f"-{given[1:]}" or given[1:] == f"-{refused}"
    if given == refused or min(len(given), len(refused)) <= _LEAST or _bare(given) == _bare(refused):
        return False
    return given not in message and abs(len(given) - len(refused)) < _LEAST and alike(given, refused, _ALIKE)


def _bare(value: str) -> str:
    return "".join(character for character in value.casefold() if character.isalnum())
