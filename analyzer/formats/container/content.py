"""Where a document's bytes come from: memory, or a file that is read line by line when it's large."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Protocol

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


class Content(Protocol):
    """A sequence of bytes that can be had whole, from the start, or line by line."""

    @property
    def size(self) -> int:
        """In bytes."""
        ...

    def read(self) -> bytes:
        """All of it."""
        ...

    def head(self, size: int) -> bytes:
        """The first `size` bytes or fewer."""
        ...

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[bytes | None]:
        """The lines without their ends; None in place of one of more bytes than `longest`, which isn't held."""
        ...


class MemoryContent:
    """Bytes that are held already."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @property
    def size(self) -> int:
        """In bytes."""
        return len(self._data)

    def read(self) -> bytes:
        """All of it."""
        return self._data

    def head(self, size: int) -> bytes:
        """The first bytes."""
        return self._data[:size]

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[bytes | None]:
        """The lines."""
        data, start, size = self._data, 0, len(self._data)
        while start < size:
            end = data.find(b"\n", start)
            end = size if end < 0 else end
            yield data[start:end] if end - start <= longest else None
            start = end + 1


class FileContent:
    """A file on disk, opened again for each walk over it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def size(self) -> int:
        """In bytes."""
        return self._path.stat().st_size

    def read(self) -> bytes:
        """All of it. Raises `UnreadableInput` where the disk or the permissions don't allow it, or where it's too
        large."""
        if self.size > _MOST_READ:
            raise UnreadableInput(
                f"has {self.size >> 20} MB and isn't a file of lines; not read.",
                where=str(self._path),
            )
        try:
            return self._path.read_bytes()
        except OSError as error:
            raise UnreadableInput(f"can't be read: {error.strerror or error}.", where=str(self._path)) from None

    def head(self, size: int) -> bytes:
        """The first bytes."""
        with self._path.open("rb") as file:
            return file.read(size)

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[bytes | None]:
        """The lines, one in memory at a time."""
        # `readline` takes five times as long for a long line as looking for the line's end in large pieces.
        parts: list[bytes] = []
        length = 0
        with self._path.open("rb", buffering=0) as file:
            while piece := file.read(_CHUNK):
                start = 0
                while (end := piece.find(b"\n", start)) >= 0:
                    length += end - start
                    parts.append(piece[start:end])
                    yield _joined(parts, length, longest)
                    parts, length, start = [], 0, end + 1
                length += len(piece) - start
                parts.append(piece[start:])
                if length > longest:
                    parts.clear()
        if length:
            yield _joined(parts, length, longest)


def _joined(parts: list[bytes], length: int, longest: int) -> bytes | None:
    """A line of some bytes; None where it's too long to be held."""
    if length > longest:
        return None
    return parts[0] if len(parts) == 1 else b"".join(parts)
