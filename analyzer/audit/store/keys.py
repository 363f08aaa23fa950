"""The keys of sessions."""

from __future__ import annotations

import hashlib
import re

_KEY = re.compile(r"[0-9a-f]{16}")


def session_key(path: str, position: int) -> str:
    """The key of a session: 16 hexadecimal digits, equal for the same path and position in the file."""
    return hashlib.sha256(f"{path}\0{position}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def is_session_key(text: str) -> bool:
    """Whether a text may be the key of a session; only such a one is part of a file's name."""
    return _KEY.fullmatch(text) is not None
