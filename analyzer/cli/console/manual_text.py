"""A manual page as a terminal shows it: paragraphs are filled to its width, everything else stays as it is."""

from __future__ import annotations

import textwrap
from itertools import groupby

_MARKS = ("- ", "* ", "$ ", "> ")


def fill(page: str, width: int) -> str:
    """The page with its paragraphs filled to `width` columns. Lines of a paragraph share their indentation; headings,
    items of lists and blank lines stand alone."""
    shown: list[str] = []
    for (indent, prose), group in groupby(page.splitlines(), _shape):
        lines = list(group)
        if prose and any(len(line) > width for line in lines):
            text, margin = " ".join(line.strip() for line in lines), " " * indent
            shown += textwrap.wrap(
                text,
                width,
                initial_indent=margin,
                subsequent_indent=margin,
                break_long_words=False,
                break_on_hyphens=False,
            )
        else:
            shown += lines
    return "\n".join(shown)


def _shape(line: str) -> tuple[int, bool]:
    """How far a line is indented, and whether it may be a part of a paragraph."""
    text = line.lstrip()
    return len(line) - len(text), bool(text) and not text.startswith(_MARKS)
