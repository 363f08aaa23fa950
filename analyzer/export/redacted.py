"""A copy of a transcript that is safe to share: the same file, with placeholders where secrets were."""

from __future__ import annotations

import io
import os
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from analyzer.atomic import replacing
from analyzer.export.packing import HEAD, Bounded, Packed, encoding_of, is_picture, packing
from analyzer.export.redacted_lines import PIECE, lines_of, shown
from analyzer.formats.container.bundle import MOST_BYTES
from analyzer.formats.container.content import MOST_HELD
from analyzer.formats.container.unpack import is_tar, is_zip
from analyzer.model.errors import AnalyzerError, UnreadableInput
from analyzer.redaction import Redactor

_CHUNK = 1 << 20
_DEEPEST = 5
"""So many times a file may be packed, or be a member of an archive in an archive."""
Sink = IO[bytes]


class _Unseen(Exception):
    """It can't be looked into; nothing of it was written."""


class Copy:
    """One transcript to be copied.

    `redactor` counts what is replaced, `skipped` names the pictures that were copied as they are, and `left_out` what
    can't be looked into and therefore isn't in the copy. A file is gone through in pieces of `piece` characters, and
    nothing of more than `most` bytes is held at once.
    """

    def __init__(self, source: Path, *, piece: int = PIECE, most: int = MOST_HELD) -> None:
        self.source = source
        self.redactor = Redactor()
        self.skipped: list[str] = []
        self.left_out: list[str] = []
        self._piece = piece
        self._most = most
        self._looking = False

    def look(self) -> None:
        """Go through everything once, to count what would be replaced and to know what has to be found everywhere."""
        self._clear()
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a device is no path of anybody's
            self._looking = True
            if self.source.is_dir():
                for file in _files(self.source):
                    self._try(file, nowhere)
            else:
                self._alone(nowhere)
            self._looking = False

    def write(self, sink: Sink) -> None:
        """Write the copy of a file, after a look at all of it."""
        self.look()
        self._clear()
        self._alone(sink)

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
        unseen = set(self.left_out)
        self._clear()
        target.mkdir(parents=True, exist_ok=True)
        for file in _files(self.source):
            place = target / file.relative_to(self.source)
            if self._name(file) in unseen:
                self.left_out.append(self._name(file))
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            with replacing(place) as sink:
                self._try(file, sink)

    def _clear(self) -> None:
        self.redactor.counts.clear()
        self.skipped.clear()
        self.left_out.clear()

    def _name(self, file: Path) -> str:
        return str(file.relative_to(self.source)) if self.source.is_dir() else file.name

    def _try(self, file: Path, sink: Sink) -> None:
        """Copy a file of a folder, unless it can't be looked into."""
        try:
            self._file(file, sink)
        except _Unseen:
            self.left_out.append(self._name(file))

    def _alone(self, sink: Sink) -> None:
        try:
            self._file(self.source, sink)
        except _Unseen:
            raise UnreadableInput(
                "is a binary file or an archive of a kind that can't be redacted.",
                where=str(self.source),
                hint="Unpack it first.",
            ) from None

    def _file(self, file: Path, sink: Sink) -> None:
        with file.open("rb") as stream:
            if file == self.source and is_picture(stream.read(HEAD)):
                raise _Unseen
            stream.seek(0)
            self._copy(Bounded(stream, str(file)), sink, self._name(file), str(file))

    def _copy(self, stream: Bounded, sink: Sink, name: str, where: str, depth: int = 0) -> None:
        """Copy what a stream holds; `_Unseen`, and nothing written, where that can't be known."""
        head = stream.peek(HEAD)
        if depth > _DEEPEST:
            raise UnreadableInput("is packed too many times over; not read.", where=where)
        if (how := packing(head)) is not None:
            unpack, pack = how
            packed = Packed(sink, (lambda sink: sink) if self._looking else pack)
            self._copy(Bounded(unpack(stream), where, self._most), packed, name, where, depth + 1)  # type: ignore[arg-type]
            if not self._looking:
                packed.close()
        elif is_zip(head):
            self._zip(stream, sink, name, where, depth + 1)
        elif is_tar(head):
            self._tar(stream, sink, name, where, depth + 1)
        elif is_picture(head):
            self.skipped.append(name)
            while data := stream.read(_CHUNK):
                sink.write(data)
        elif (encoding := encoding_of(head)) is not None:
            for text in shown(self.redactor, lines_of(stream, encoding, self._most, where), self._piece):
                sink.write(_encoded(text, encoding))
        else:
            raise _Unseen

    def _zip(self, stream: Bounded, sink: Sink, name: str, where: str, depth: int) -> None:
        if sys.version_info >= (3, 14):
            import zipfile
        else:
            from backports.zstd import zipfile
        packed = Bounded(stream, where, self._most).read() if depth > 1 else None
        left = MOST_BYTES
        try:
            # An archive can't be written into the device that takes everything: it has to know where it is.
            with (
                zipfile.ZipFile(io.BytesIO(packed) if packed is not None else where) as source,
                zipfile.ZipFile(io.BytesIO() if self._looking else sink, "w") as target,
            ):
                for entry in source.infolist():
                    made = zipfile.ZipInfo(entry.filename, entry.date_time)
                    made.compress_type, made.external_attr = entry.compress_type, entry.external_attr
                    place = f"{where}!{entry.filename}"
                    with source.open(entry) as member:
                        bounded = Bounded(member, place, min(self._most, left))
                        data = self._member(bounded, f"{name}!{entry.filename}", place, depth)
                    left -= bounded.size
                    if data is not None and not self._looking:
                        target.writestr(made, data)
        except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as error:
            raise UnreadableInput(f"is a damaged archive: {error}.", where=where) from None

    def _tar(self, stream: Bounded, sink: Sink, name: str, where: str, depth: int) -> None:
        left = MOST_BYTES
        try:
            with (
                tarfile.open(fileobj=stream, mode="r|", errors="surrogateescape") as source,  # type: ignore[call-overload]
                tarfile.open(fileobj=sink, mode="w|", errors="surrogateescape") as target,
            ):
                for entry in source:
                    # Whose file it was is a name, and what else a header may hold is nobody's business.
                    made = tarfile.TarInfo(entry.name)
                    made.type, made.mode, made.mtime = entry.type, entry.mode, entry.mtime
                    made.linkname = self.redactor.redact(entry.linkname)
                    if entry.isdir() or entry.issym() or entry.islnk():
                        target.addfile(made)
                        continue
                    place, inner = f"{where}!{entry.name}", f"{name}!{entry.name}"
                    if not entry.isreg() or entry.issparse():
                        self.left_out.append(inner)
                        continue
                    if entry.size > min(self._most, left):
                        raise UnreadableInput("holds far more than a transcript does; not read.", where=place)
                    left -= entry.size
                    data = self._member(Bounded(source.extractfile(entry), place), inner, place, depth)
                    if data is not None:
                        made.size = len(data)
                        target.addfile(made, io.BytesIO(data))
        except (tarfile.TarError, EOFError, ValueError, OSError) as error:
            raise UnreadableInput(f"is a damaged archive: {error}.", where=where) from None

    def _member(self, stream: Bounded, name: str, where: str, depth: int) -> bytes | None:
        """What becomes of a member of an archive; None for one that can't be looked into."""
        copy = io.BytesIO()
        try:
            self._copy(stream, copy, name, where, depth)
        except _Unseen:
            self.left_out.append(name)
            return None
        return copy.getvalue()


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding, "surrogateescape" if encoding == "utf-8" else "surrogatepass")
    except UnicodeEncodeError:
        return text.encode(encoding, "replace")
