"""Tables of names that are written as text, and short names for long texts."""

from __future__ import annotations

from hashlib import blake2b

from analyzer.text.late import late

WORD = late(r"\w+")
_NUMBER = late(r"(\d{1,12})")


def names(text: str) -> tuple[str, ...]:
    """The names in a text, which are parted by white space."""
    return tuple(text.split())


def name_set(text: str) -> frozenset[str]:
    """The names in a text, for looking them up."""
    return frozenset(names(text))


def in_order(name: str) -> list[tuple[int, str]]:
    """What names are sorted by, so that the numbers in them count as such."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBER.split(name) if part]


def digest(text: str) -> str:
    """Return 24 hexadecimal digits that are equal for equal texts only."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
