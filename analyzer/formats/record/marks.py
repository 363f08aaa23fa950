"""What the program around an agent writes in the place of a result: that a call was refused, cut off, or never made."""

from __future__ import annotations

from analyzer.formats.loading.interface import expressions_of
from analyzer.model.words import Mark

_MARKS = {Mark(name): pattern for name, pattern in expressions_of(__file__).items()}


def mark_of(text: str) -> Mark | None:
    """What a result says of its call where it begins with the words of the program."""
    return next((mark for mark, pattern in _MARKS.items() if pattern.match(text)), None)
