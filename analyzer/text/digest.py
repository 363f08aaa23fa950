"""Short names for long texts, which stand for them where only equality counts."""

from __future__ import annotations

from hashlib import blake2b


def digest(text: str) -> str:
    """Return 24 hexadecimal digits that are equal for equal texts only."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
