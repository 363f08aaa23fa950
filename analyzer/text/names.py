"""Tables of names that are written as text, and short names for long texts."""

from __future__ import annotations

from hashlib import blake2b


def names(text: str) -> tuple[str, ...]:
    """The names in a text, which are parted by white space."""
    return tuple(text.split())


def name_set(text: str) -> frozenset[str]:
    """The names in a text, for looking them up."""
    return frozenset(names(text))


def digest(text: str) -> str:
    """Return 24 hexadecimal digits that are equal for equal texts only."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
