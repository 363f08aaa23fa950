"""A copy of a transcript that is safe to share: the same file, with placeholders where secrets were."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from analyzer.atomic import replacing
from analyzer.formats.container.unpack import is_zip
from analyzer.model.errors import AnalyzerError, UnreadableInput
from analyzer.redaction import Redactor
from analyzer.redaction.json_text import JsonText

_HEAD = 1 << 16
_CHUNK = 1 << 20
_MOST_MEMBER = 1 << 30
"""A member of an archive may unpack to so many bytes."""
_MOST_TEXT = 1 << 30
"""A text that isn't JSON is looked at as a whole, so that a key over several lines is seen; it may have so many
bytes."""
Sink = IO[bytes]


class Copy:
    """One transcript to be copied. `redactor` counts what is replaced, `skipped` names what was copied without a look
    inside."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.redactor = Redactor()
        self.skipped: list[str] = []
        self._looking = False

    def look(self) -> None:
        """Go through everything once, to count what would be replaced and to know what has to be found everywhere."""
        self.redactor.counts.clear()
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a device is no path of anybody's
            self._looking = True
            self._all(nowhere)
            self._looking = False

    def write(self, sink: Sink) -> None:
        """Write the copy of a file, after a look at all of it."""
        self.look()
        self.redactor.counts.clear()
        self._all(sink)

    def write_folder(self, target: Path) -> None:
        """Write the copy of a folder, file by file, after a look at all of them. Raises `AnalyzerError` for a target
        that holds something."""
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise AnalyzerError("is there already and not empty.", where=str(target), hint="Name a new folder with -o.")
        if target.resolve().is_relative_to(self.source.resolve()):
            raise AnalyzerError(
                "lies inside of what is to be copied.", where=str(target), hint="Name a folder elsewhere."
            )
        self.look()
        self.redactor.counts.clear()
        self.skipped.clear()
        for file in _files(self.source):
            place = target / file.relative_to(self.source)
            place.parent.mkdir(parents=True, exist_ok=True)
            with replacing(place) as sink:
                self._file(file, sink)

    def _all(self, sink: Sink) -> None:
        self.skipped.clear()
        if self.source.is_dir():
            for file in _files(self.source):
                self._file(file, sink)
        else:
            self._file(self.source, sink, alone=True)

    def _file(self, file: Path, sink: Sink, *, alone: bool = False) -> None:
        with file.open("rb") as stream:
            head = stream.read(_HEAD)
            stream.seek(0)
            if is_zip(head):
                self._zip(stream, sink, str(file))
                return
            with _unpacked(stream, head, sink) as (plain, packed):
                if not self._stream(plain, packed):
                    if alone:
                        raise UnreadableInput(
                            "is a binary file or an archive of a kind that can't be redacted.",
                            where=str(file),
                            hint="Unpack it first.",
                        )
                    self.skipped.append(str(file.relative_to(self.source)))
                    stream.seek(0)
                    shutil.copyfileobj(stream, sink)

    def _stream(self, stream: IO[bytes], sink: Sink) -> bool:
        """Copy a stream of text; False, and nothing written, where it's none."""
        head = stream.read(_HEAD)
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = (head + stream.read(_MOST_TEXT)).decode("utf-16", "replace")
            sink.write(self._text(text).encode("utf-16"))
            return True
        if b"\0" in head:
            return False
        if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] not in (b"{", b"["):
            sink.write(_encoded(self.redactor.redact(_decoded(head + stream.read(_MOST_TEXT)))))
            return True
        json_text = JsonText(self.redactor)
        for line in _lines(head, stream):
            sink.write(_encoded(json_text.redact(_decoded(line))))
        return True

    def _text(self, text: str) -> str:
        if text.lstrip("\ufeff \t\r\n")[:1] not in ("{", "["):
            return self.redactor.redact(text)
        json_text = JsonText(self.redactor)
        return "".join(map(json_text.redact, text.splitlines(keepends=True)))

    def _zip(self, stream: IO[bytes], sink: Sink, where: str) -> None:
        zipfile = _zipfile()
        try:
            # An archive can't be written into the device that takes everything: it has to know where it is.
            with (
                zipfile.ZipFile(stream) as source,
                zipfile.ZipFile(io.BytesIO() if self._looking else sink, "w") as target,
            ):
                for entry in source.infolist():
                    made = zipfile.ZipInfo(entry.filename, entry.date_time)
                    made.compress_type, made.external_attr = entry.compress_type, entry.external_attr
                    with source.open(entry) as member:
                        data = member.read(_MOST_MEMBER + 1)
                    if len(data) > _MOST_MEMBER:
                        raise UnreadableInput(
                            "unpacks to far more than a transcript does; not read.", where=f"{where}!{entry.filename}"
                        )
                    copied = self._member(data, entry.filename)
                    if not self._looking:
                        target.writestr(made, copied)
        except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
            raise UnreadableInput(f"is a damaged archive: {error}.", where=where) from None

    def _member(self, data: bytes, name: str) -> bytes:
        copy = io.BytesIO()
        if not data or self._stream(io.BytesIO(data), copy):
            return copy.getvalue()
        self.skipped.append(name)
        return data


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def _zipfile() -> Any:
    if sys.version_info >= (3, 14):
        import zipfile
    else:
        from backports.zstd import zipfile
    return zipfile


@contextmanager
def _unpacked(stream: IO[bytes], head: bytes, sink: Sink) -> Iterator[tuple[IO[bytes], Sink]]:
    """The stream without its packing, and a sink that packs in the same way."""
    opened = _packing(head)
    if opened is None:
        yield stream, sink
        return
    unpack, pack = opened
    with pack(sink) as packed, unpack(stream) as plain:
        try:
            yield plain, packed
        except (EOFError, OSError) as error:
            raise UnreadableInput(
                f"is packed and damaged: {error}.", hint="What was written so far is not kept."
            ) from None


def _packing(head: bytes) -> tuple[Callable[[IO[bytes]], Any], Callable[[IO[bytes]], Any]] | None:
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
    if head.startswith(b"\xfd7zXZ\x00"):
        import lzma

        return lzma.LZMAFile, lambda sink: lzma.LZMAFile(sink, "w")
    return None


def _lines(head: bytes, stream: IO[bytes]) -> Iterator[bytes]:
    """The lines with their ends, one in memory at a time."""
    parts: list[bytes] = []
    piece = head
    while piece:
        first, *others = piece.split(b"\n")
        parts.append(first)
        for other in others:
            yield b"".join(parts) + b"\n"
            parts = [other]
        piece = stream.read(_CHUNK)
    if last := b"".join(parts):
        yield last


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")
