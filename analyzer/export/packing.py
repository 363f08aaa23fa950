"""What the first bytes of a file that is to be copied say about it: how it's packed, in which encoding its text is, and
whether it holds any."""

from __future__ import annotations

import gzip
import re
import sys
from collections.abc import Callable
from typing import IO, Any

from analyzer.formats.container.unpack import is_database, is_packed
from analyzer.model.errors import UnreadableInput

HEAD = 1 << 16
"""So many bytes are looked at to know what a file is."""
_PICTURES = (b"\x89PNG\r\n", b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
_NULS = re.compile(rb"\0+")
_CONTROLS = re.compile(rb"[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]")
_MOST_CONTROLS = 0.05
"""Of the bytes of a text in an unknown encoding so many may be control characters; of random ones every tenth is."""
_MOST_CONTROLS_IN_UTF8 = 0.5
_MOST_CUT = 3
"""So many bytes of a character may be cut off at the end of what is looked at."""
_WIDE = 0.4
"""In a text of which each character takes two bytes, so many of either the first or the second ones are NUL,
and the others are no control characters."""
Pack = Callable[[IO[bytes]], Any]


def packing(head: bytes) -> tuple[Pack, Pack] | None:
    """What unpacks a stream that begins like this, and what packs in the same way; None for one that isn't packed."""
    if not is_packed(head):
        return None
    if head.startswith(b"\x1f\x8b"):
        return (
            lambda stream: gzip.GzipFile(fileobj=stream),
            lambda sink: gzip.GzipFile(filename="", mode="wb", fileobj=sink, mtime=0),
        )
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
        return zstd.ZstdFile, lambda sink: zstd.ZstdFile(sink, "w")
    if head.startswith(b"BZh"):
        import bz2

        return bz2.BZ2File, lambda sink: bz2.BZ2File(sink, "w")
    import lzma

    return lzma.LZMAFile, lambda sink: lzma.LZMAFile(sink, "w")


def is_picture(head: bytes) -> bool:
    """Whether the bytes begin a picture, which holds no text that could be replaced."""
    return head.startswith(_PICTURES) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")


def encoding_of(head: bytes) -> str | None:
    """The encoding of a text that begins like this; None where it's no text.

    Whatever a transcript may be read from is text: a NUL, bytes of another encoding, or a hole that a crash has left
    don't make it anything else.
    """
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32-le" if head.startswith(b"\xff") else "utf-32-be"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16-le" if head.startswith(b"\xff") else "utf-16-be"
    if is_database(head):
        return None
    solid = _NULS.sub(b"\0", head)
    for side, wide in ((0, "utf-16-be"), (1, "utf-16-le")):
        high, low = head[side::2], head[1 - side :: 2]
        if high.count(0) > _WIDE * len(high) and len(_CONTROLS.findall(low)) <= _MOST_CONTROLS * len(low):
            return wide
    most = _MOST_CONTROLS_IN_UTF8
    try:
        solid.decode("utf-8")
    except UnicodeDecodeError as error:
        if len(head) < HEAD or error.start < len(solid) - _MOST_CUT:
            most = _MOST_CONTROLS
    return "utf-8" if len(_CONTROLS.findall(solid)) <= max(1, most * len(solid)) else None


class Bounded:
    """The bytes of a stream, of which the first were read already. Raises `UnreadableInput` where there are more than
    `most`, or where they can't be unpacked; `size` is how many were read."""

    def __init__(self, stream: Any, where: str, most: int | None = None) -> None:
        self._stream = stream
        self._where = where
        self._most = most
        self.size = 0
        self._first = b""

    def peek(self, size: int) -> bytes:
        """The first bytes, which are read again afterwards."""
        while len(self._first) < size and (more := self._read(size - len(self._first))):
            self._first += more
        return self._first

    def read(self, size: int = -1) -> bytes:
        """The next bytes; of a negative size all that are left."""
        if size < 0:
            return b"".join(iter(lambda: self.read(1 << 20), b""))
        if self._first:
            found, self._first = self._first[:size], self._first[size:]
            return found
        return self._read(size)

    def _read(self, size: int) -> bytes:
        try:
            data: bytes = self._stream.read(size)
        except UnreadableInput:
            raise
        except Exception as error:  # noqa: BLE001 - the codecs raise errors of their own on damaged data
            what = f"is packed and damaged: {error}."
            raise UnreadableInput(what, where=self._where, hint="What was written so far is not kept.") from None
        self.size += len(data)
        if self._most is not None and self.size > self._most:
            raise UnreadableInput("unpacks to far more than a transcript does; not read.", where=self._where)
        return data


class Packed:
    """A sink that packs, and of which nothing is written before something is written into it."""

    def __init__(self, sink: IO[bytes], pack: Pack) -> None:
        self._sink = sink
        self._pack = pack
        self._packed: Any = None

    def write(self, data: bytes) -> int:
        """Pack and write the bytes."""
        if self._packed is None:
            self._packed = self._pack(self._sink)
        self._packed.write(data)
        return len(data)

    def flush(self) -> None:
        """Nothing; what is packed is written at the end."""

    def close(self) -> None:
        """Write what ends a packed file."""
        self.write(b"")
        self._packed.close()
