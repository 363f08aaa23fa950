"""Tables of names that are written as text."""

from __future__ import annotations


def names(text: str) -> tuple[str, ...]:
    """The names in a text, which are parted by white space."""
    return tuple(text.split())


def name_set(text: str) -> frozenset[str]:
    """The names in a text, for looking them up."""
    return frozenset(names(text))
