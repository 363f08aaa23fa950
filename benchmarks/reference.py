"""A fixed piece of work of the same nature as ours: expressions over text, and many small objects of plain Python.

What else runs on a machine slows the interpreter and the regular expressions differently from a parser written in C. So
our work is held against this. It uses nothing of the program, and is never changed: every ratio that was kept is one to
it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+(?:\.\d+)?|[^\w\s]")
_PLACE = re.compile(r"(?P<file>[\w./-]+\.\w{1,4})(?:\", line |:)(?P<line>\d{1,6})")
_RAISED = re.compile(r"^\s*(?:[\w.]+\.)?(\w*(?:Error|Exception|Warning))\b:?\s*(.*)$", re.MULTILINE)
_SAID = re.compile(r"(?i)\b(?:failed|failure|cannot|could not|not found|no such|denied|passed|expected|unexpected)\b")
_SECRET = re.compile(r"(?i)\b(?:token|secret|password|api[_-]?key)\b\s*[=:]\s*(?P<value>[^\s'\"]{8,})")
_QUOTED = re.compile(r"'([^'\n]{1,80})'|`([^`\n]{1,80})`|\\\"([^\"\n\\]{1,80})\\\"")
_DIGITS = re.compile(r"0x[0-9a-f]+|\d+")
_ASKED = (_PLACE, _RAISED, _SAID, _SECRET, _QUOTED)
_PIECE = re.compile(r"\\n|\n")


@dataclass(slots=True)
class _Line:
    """A line of the text, and what was found in it."""

    number: int
    text: str
    masked: str
    words: tuple[str, ...]
    found: list[tuple[int, str]] = field(default_factory=list)

    @property
    def weight(self) -> int:
        return len(self.found) * 3 + len(self.words)


def reference(data: bytes) -> int:
    """Do the work for the bytes of a transcript; the result says nothing, but that it was done."""
    text = data.decode("utf-8", "replace")
    lines = [_line(number, piece) for number, piece in enumerate(_PIECE.split(text), 1)]
    counts: dict[str, int] = {}
    places: dict[tuple[str, ...], list[_Line]] = {}
    for line in lines:
        for word in line.words:
            counts[word] = counts.get(word, 0) + 1
        places.setdefault(line.words[:4], []).append(line)
    alike = 0
    for group in places.values():
        for before, after in pairwise(group):
            alike += _alike(before, after)
    ordered = sorted(lines, key=lambda line: (-line.weight, line.masked))
    shown = "\n".join(f"{line.number}: {line.masked[:60]} ({len(line.found)})" for line in ordered[:200])
    rare = [word for word, count in counts.items() if count == 1 and not word.isdigit()]
    return len(shown) + alike + len(rare)


def _line(number: int, text: str) -> _Line:
    line = _Line(number, text, _DIGITS.sub("N", text), tuple(match[0] for match in _WORD.finditer(text[:2_000])))
    for position, expression in enumerate(_ASKED):
        for match in expression.finditer(text):
            line.found.append((position, match[0].strip().lower()))
    return line


def _alike(one: _Line, other: _Line) -> int:
    """How many words two lines have in common, place by place."""
    same = 0
    for mine, theirs in zip(one.words, other.words, strict=False):
        if mine == theirs or mine.casefold() == theirs.casefold() or (mine.isdigit() and theirs.isdigit()):
            same += 1
    return same
