"""The keys of sessions, and texts as the database keeps them."""

from __future__ import annotations

import hashlib
import re
import zlib

from analyzer.model.errors import AnalyzerError

_KEY = re.compile(r"[0-9a-f]{16}")


def session_key(path: str, position: int) -> str:
    """The key of a session: 16 hexadecimal digits, equal for the same path and position in the file."""
    return hashlib.sha256(f"{path}\0{position}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def is_session_key(text: str) -> bool:
    """Whether a text may be the key of a session; only such a one is part of a file's name."""
    return _KEY.fullmatch(text) is not None


_MOST = 512 << 20
"""Bytes; a post-mortem and the texts of a session have some hundred thousand."""


def unpacked(packed: bytes, most: int = _MOST) -> bytes:
    """The bytes that were packed. Raises `AnalyzerError` for more of them than any session has, or damaged ones."""
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(packed, most)
    except zlib.error as error:
        raise AnalyzerError(f"The database of the audit holds damaged texts: {error}.") from None
    if stream.unconsumed_tail:
        raise AnalyzerError("The database of the audit holds a text that unpacks to far more than a session has.")
    return found
