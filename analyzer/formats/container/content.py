"""Where a document's bytes come from: memory, or a file that is read line by line when it's large."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import IO

from analyzer.model.errors import UnreadableInput

MOST_HELD = 512 << 20
"""What is held in memory at once of what unpacks to more than it seems, in bytes: a packed file, a member of an
archive; and of a stream, whose size nobody knows."""
_MOST_READ = 2 << 30
"""The same for a file that is one JSON value. Files of lines may be larger."""
LONGEST_LINE = 256 << 20
"""A line of more bytes than this is skipped with a warning rather than held in memory."""
_CHUNK = 1 << 20


def sha256_of(path: str | os.PathLike[str]) -> str:
    """The SHA-256 of a file's bytes. Raises `OSError` where it can't be read."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class Content:
    """A sequence of bytes that can be had whole, from the start, or line by line: held in memory, or in a file on disk
    that is opened again for each walk over it."""

    def __init__(self, source: bytes | Path) -> None:
        self._source = source

    @cached_property
    def size(self) -> int:
        """In bytes."""
        return len(self._source) if isinstance(self._source, bytes) else self._source.stat().st_size

    def read(self) -> bytes:
        """All of it. Raises `UnreadableInput` where the disk or the permissions don't allow it, or where it's too
        large."""
        if isinstance(self._source, bytes):
            return self._source
        where = str(self._source)
        if self.size > _MOST_READ:
            raise UnreadableInput(f"has {self.size >> 20} MB and isn't a file of lines; not read.", where=where)
        try:
            return self._source.read_bytes()
        except OSError as error:
            raise UnreadableInput(f"can't be read: {error.strerror or error}.", where=where) from None

    def head(self, size: int) -> bytes:
        """The first `size` bytes or fewer."""
        with self._opened() as stream:
            return stream.read(size)

    def _opened(self) -> IO[bytes]:
        return BytesIO(self._source) if isinstance(self._source, bytes) else self._source.open("rb", buffering=0)

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[bytes | None]:
        """The lines without their ends, one in memory at a time; None in place of one of more bytes than `longest`,
        which isn't held."""
        # `readline` takes five times as long for a long line as looking for the line's end in large pieces.
        parts: list[bytes] = []
        length = 0
        with self._opened() as file:
            while piece := file.read(_CHUNK):
                start = 0
                while (end := piece.find(b"\n", start)) >= 0:
                    if parts or end - start > longest:
                        parts.append(piece[start:end])
                        yield b"".join(parts) if length + end - start <= longest else None
                        parts, length = [], 0
                    else:
                        yield piece[start:end]
                    start = end + 1
                length += len(piece) - start
                parts.append(piece[start:] if length <= longest else b"")
        if length:
            yield b"".join(parts) if length <= longest else None
