"""Plain text for terminals of 80 columns: a table whose last column may be long, and entries with lines below them."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from analyzer.cli.console.safe_text import visible

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
