"""What a file's first bytes say about how it's packed, its bytes without that, and bytes of any encoding as UTF-8."""

from __future__ import annotations

import sys
from importlib import import_module
from io import BytesIO
from typing import IO

from analyzer.formats.container.content import MOST_HELD
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning

_MOST_RATIO = 200
"""How many times larger a file of more than a few hundred kilobytes may become: transcripts pack to a tenth, bombs to a
thousandth."""
_TAR_BLOCK = 512
_PACKINGS = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd",
    b"\xfd7zXZ\x00": "lzma",
    b"BZh": "bz2",
}
"""How packed files begin, and the module whose `open` unpacks them."""

_BZIP2_BLOCKS = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
"""How the first block of such a file begins, or its end where it has none."""
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def is_zip(data: bytes) -> bool:
    """Whether the bytes are a zip archive."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_tar(data: bytes) -> bool:
    """Whether the bytes begin a tar archive (ustar, GNU or pax)."""
    return len(data) >= _TAR_BLOCK and data[257:262] == b"ustar"


def is_database(data: bytes) -> bool:
    """Whether the bytes begin an SQLite database."""
    return data.startswith(b"SQLite format 3\x00")


def is_packed(data: bytes) -> bool:
    """Whether the bytes begin like something that `unpacked` unpacks."""
    return _packing(data) is not None


def _packing(data: bytes) -> str | None:
    """The module that unpacks the bytes; None for what isn't packed."""
    named = next((module for magic, module in _PACKINGS.items() if data.startswith(magic)), None)
    return None if named == "bz2" and data[4:10] not in _BZIP2_BLOCKS else named


def unpacked(data: bytes, where: str, warnings: list[ReadWarning]) -> bytes:
    """The bytes, unpacked where they're packed by gzip, zstd, bzip2 or xz (twice or thrice for a file packed twice or
    thrice).

    Raises `UnreadableInput` for damaged data, and for data that unpacks to far more than a transcript does. Of a file
    that was cut off or damaged further on, what could be unpacked is returned, and `warnings` says so.
    """
    for _ in range(3):
        if (module := _packing(data)) is not None:
            data = _read(import_module(module).open(BytesIO(data)), len(data), where, warnings)
    return data


def _read(stream: IO[bytes], packed: int, where: str, warnings: list[ReadWarning]) -> bytes:
    limit = min(MOST_HELD, max(64 << 20, packed * _MOST_RATIO))
    parts: list[bytes] = []
    size = 0
    try:
        while part := stream.read(1 << 16):
            parts.append(part)
            size += len(part)
            if size > limit:
                raise UnreadableInput("unpacks to far more than a transcript does; not read.", where=where)
    except UnreadableInput:
        raise
    except Exception as error:  # noqa: BLE001 - the codecs raise errors of their own on damaged data
        if not parts:
            raise UnreadableInput(f"is packed and damaged: {error}.", where=where) from None
        what = f"the packed file is cut off or damaged ({error}); only the first {size} bytes could be unpacked"
        warnings.append(ReadWarning("packed file", what))
    return b"".join(parts)


def decode(data: bytes, name: str) -> tuple[bytes, list[ReadWarning]]:
    """The transcript in UTF-8 without a byte order mark or the line ends of Windows, and a warning where bytes had to
    be replaced. Raises `UnreadableInput` for an empty or a binary file."""
    if not data.strip(b"\x00 \t\r\n"):
        raise UnreadableInput(
            "is empty." if not data else "holds only white space or NUL bytes.",
            where=name,
            hint="Nothing was recorded in it: name the file that the agent wrote its log to.",
            foreign=True,
        )
    if data.startswith(_UTF16_MARKS):
        data = data.decode("utf-16", errors="replace").encode("utf-8", "replace")
    data, warnings = data.removeprefix(_UTF8_MARK), list[ReadWarning]()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if b"\x00" in data[:8192]:
            hint = "Name the recorded log itself (JSON or JSON lines)."
            raise UnreadableInput("is a binary file, not a transcript.", where=name, hint=hint, foreign=True) from None
        line = data.count(b"\n", 0, error.start) + 1
        text = data.decode("utf-8", errors="replace")
        places = text.count("\N{REPLACEMENT CHARACTER}")
        what = f"not valid UTF-8 from byte {error.start} on; {places} places are shown as \N{REPLACEMENT CHARACTER}"
        data, warnings = text.encode("utf-8"), [ReadWarning(f"line {line}", what)]
    crlf = data.count(b"\r\n") == data.count(b"\n")
    return data.replace(b"\r\n", b"\n") if crlf else data, warnings
