"""Lines that carry the number which they have in their file."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from analyzer.text.late import late

_NUMBERED = late(r"^ {0,8}(?P<number>\d{1,7})(?:\t|→|\||: ?|(?<=\d) {2}| \| )(?P<code>.*)$")


def numbered(lines: Iterable[str]) -> list[tuple[int, str]]:
    """The numbers and the texts of those lines that have a number."""
    return [(int(found["number"]), found["code"]) for line in lines if (found := _NUMBERED.match(line))]


def in_order(rows: list[tuple[int, str]]) -> bool:
    """Whether each number is one more than that before it."""
    return all(after == before + 1 for (before, _), (after, _) in pairwise(rows))
