"""Session text as Markdown, and in cells of CSV files."""

from __future__ import annotations

import re
from typing import Any

from analyzer.model.struct import Struct
from analyzer.text.clip import clip_words
from analyzer.text.late import late

_FENCE = late(r"^[ \t]{0,8}(?P<mark>`{3,}|~{3,})(?P<info>[^`\n]*)$", re.MULTILINE)


def code(text: str, limit: int = 200) -> str:
    """`text` cut between words to one line, as a Markdown code span that its own backticks can't end."""
    line = clip_words(text, limit)
    ticks = "`"
    while ticks in line:
        ticks += "`"
    if ticks == "`":
        return f"`{line}`"
    return f"{ticks} {line} {ticks}"


class Fence(Struct, frozen=True):
    """A fenced block: its language, its code, and where it stands, fences included. One that is never `closed` goes on
    to the end of the text."""

    language: str
    code: str
    start: int
    end: int
    closed: bool = True


def fences(text: str) -> list[Fence]:
    """The fenced blocks of a text in their order. A fence that names a language closes none: the block above it was
    left open, and is none."""
    if "```" not in text and "~~~" not in text:
        return []
    found: list[Fence] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence["mark"][0] != opened["mark"][0] or len(fence["mark"]) < len(opened["mark"]):
            continue
        elif fence["info"].strip():
            opened = fence
        else:
            found.append(_block(text, opened, fence.start(), fence.end()))
            opened = None
    if opened is not None:
        found.append(_block(text, opened, len(text), len(text), closed=False))
    return found


def only_fence(text: str) -> Fence | None:
    """The closed block that a text consists of; None for every other text."""
    found = fences(text)
    if len(found) != 1 or not found[0].closed or text[: found[0].start].strip() or text[found[0].end :].strip():
        return None
    return found[0]


def without_fences(text: str) -> str:
    """`text` with its closed blocks of code blanked, each character at its place. A fence that is never closed hides
    nothing."""
    parts, place = [], 0
    for block in fences(text):
        if block.closed:
            blank = "\n".join([" " * len(line) for line in text[block.start : block.end].split("\n")])
            parts += [text[place : block.start], blank]
            place = block.end
    return "".join([*parts, text[place:]])


def _block(text: str, opened: re.Match[str], stop: int, end: int, *, closed: bool = True) -> Fence:
    words = opened["info"].split()
    return Fence(words[0] if words else "", text[min(opened.end() + 1, stop) : stop], opened.start(), end, closed)


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell(value: Any) -> Any:
    """The value as a cell that no spreadsheet takes for a formula; `true` and `false` in lower case."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}" if isinstance(value, str) and value.lstrip(" \n").startswith(_FORMULA) else value
