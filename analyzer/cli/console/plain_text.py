"""Plain text for terminals: what others wrote, made safe (a file name or a log must not move the cursor, set a title or
hide words), a table whose last column may be long, and entries with lines below them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from textwrap import wrap

from analyzer.text.expressions import compiled

_ESCAPES = compiled(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, erasing
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC and the other strings
    r"|\x1b[ -/]*[0-~]"  # everything else that starts with ESC
)
_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROLS = compiled(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_DIRECTION}]")


def without_escapes(text: str) -> str:
    """`text` without terminal escapes, control characters other than newline and tab, and marks that reorder words."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n")))


def visible(text: str) -> str:
    r"""`text` for a message: what a terminal would act upon is spelled out (`\x1b`), so that nothing is hidden."""
    return "".join(_spelled(character) for character in text)


def _spelled(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs"):
        return character
    return character.encode("unicode_escape").decode("ascii")


WIDTH = 80
_LEAST = 20
"""Columns that the last column has at least, however wide the others are."""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, width: int | None = None) -> str:
    """The rows under their heads, columns aligned. With a `width` the last column is wrapped, else it's as long as it
    is."""
    cells = [list(heads), *([visible(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads) - 1)]
    before = sum(widths) + 2 * len(widths)
    lines: list[str] = []
    for row in cells:
        fixed = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True)]
        last = [row[-1]] if width is None else _wrapped(row[-1], max(_LEAST, width - before)) or [""]
        lines.append("  ".join([*fixed, last[0]]).rstrip())
        lines += [" " * before + line for line in last[1:]]
    return "\n".join(lines) + "\n"


def entry(head: str, lines: Sequence[str], *, width: int = WIDTH) -> str:
    """A line with what belongs to it below, indented and wrapped. The head is never broken: it may be a path."""
    below = [f"  {line}" for text in lines for line in _hanging(visible(text), width - 2)]
    return "\n".join([visible(head), *below]) + "\n"


def _hanging(text: str, width: int) -> list[str]:
    return wrap(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width, break_long_words=False, break_on_hyphens=False)
