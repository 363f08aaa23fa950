"""Texts as the database keeps them, packed by zlib. A database may come from elsewhere, so what they unpack to is
limited."""

from __future__ import annotations

import zlib

from analyzer.model.errors import AnalyzerError

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
