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

    def lines(self) -> Iterator[bytes | None]:
        """The lines without their ends; None in place of one that is longer than `LONGEST_LINE`."""
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

    def lines(self) -> Iterator[bytes | None]:
        """The lines."""
        data, start, size = self._data, 0, len(self._data)
        while start < size:
            end = data.find(b"\n", start)
            end = size if end < 0 else end
            yield data[start:end] if end - start <= LONGEST_LINE else None
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

    def lines(self) -> Iterator[bytes | None]:
        """The lines, one in memory at a time."""
        # A long line is put together from as many pieces as the buffer was filled times.
        with self._path.open("rb", buffering=_CHUNK) as file:
            while line := file.readline(LONGEST_LINE):
                if line.endswith(b"\n") or len(line) < LONGEST_LINE:
                    yield line.rstrip(b"\n")
                    continue
                while (more := file.readline(_CHUNK)) and not more.endswith(b"\n"):
                    pass
                yield None
