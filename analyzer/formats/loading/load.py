"""Open a file or a stream, find out what it is, and read its sessions."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from pathlib import Path
from typing import IO

from analyzer.formats.container.bundle import Bundle, DirectoryBundle, ZipBundle
from analyzer.formats.container.content import MOST_HELD, Content, sha256_of
from analyzer.formats.container.decode import decode
from analyzer.formats.container.document import Document
from analyzer.formats.container.unpack import is_packed, is_zip, unpacked
from analyzer.formats.loading.corrections import (
    drop_recorded_again,
    forget_blanked,
    forget_zero_counts,
    mark_failed_calls,
    write_deep_as_text,
)
from analyzer.formats.loading.interface import Format
from analyzer.formats.loading.registry import MAPPING, by_name, formats, sniff, sniff_general, sniff_particular
from analyzer.formats.loading.shared import note_children, share_definitions
from analyzer.formats.loading.thoughts import split_thoughts
from analyzer.formats.loading.unknown import not_recognised
from analyzer.formats.loading.unread_actions import remark
from analyzer.formats.loading.wrapped import unwrapped, unwrapped_value
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, RecordCount, Session, Transcript

STDIN = "-"
_HEAD = 512
_MOST_BOXES = 2
"""How deep archives may lie in each other: a few kilobytes of deeper ones unpack without end."""
STREAMED = 64 << 20
"""Files of more bytes than this are read from disk as they're needed."""


def load(path: str | os.PathLike[str], input_format: str | None = None) -> Transcript:
    """Read the transcript at `path`: a file, a zip or tar archive, a directory that holds one session, or `-` for
    standard input. A session's file is read with the files that its agent keeps in a folder of the same name beside it,
    and such a folder with the file.

    `input_format` names the format and skips the sniffing. Raises `UnreadableInput` when the file can't be opened,
    holds nothing, or is no transcript of a known format.
    """
    name = os.fspath(path)
    if name == STDIN:
        if sys.stdin is None:
            raise UnreadableInput("there is no standard input.", where=name)
        return load_bytes(_read_stream(sys.stdin.buffer, "<stdin>"), "<stdin>", input_format)
    file = Path(name)
    try:
        if (found := _load_session_at(file, input_format)) is not None:
            return found
        if file.is_dir():
            return _load_directory(file, input_format)
        state = file.stat()
        if state.st_size > STREAMED:
            return _load_streamed(file, input_format)
        if stat.S_ISCHR(state.st_mode) or stat.S_ISBLK(state.st_mode):
            raise UnreadableInput("is a device; not read.", where=name)
        if stat.S_ISREG(state.st_mode):
            data = file.read_bytes()
        else:
            with file.open("rb") as stream:
                data = _read_stream(stream, name)
    except FileNotFoundError:
        raise UnreadableInput("no such file.", where=name) from None
    except OSError as error:
        raise UnreadableInput(f"can't be read: {error.strerror or error}.", where=name) from error
    if _is_database(data):
        return _read(_database(data, name, file), hashlib.sha256(data).hexdigest(), len(data), input_format)
    return load_bytes(data, name, input_format)


def _read_stream(stream: IO[bytes], name: str) -> bytes:
    """What a pipe gives until it ends. Raises `UnreadableInput` for one that gives more than fits."""
    data = stream.read(MOST_HELD + 1)
    if len(data) > MOST_HELD:
        raise UnreadableInput(
            f"gives more than {MOST_HELD >> 20} MB; not read.", where=name, hint="Write it to a file, and name that."
        )
    return data


def _load_streamed(file: Path, input_format: str | None) -> Transcript:
    """A file too large to be held: read from disk as often as needed, line by line if it consists of lines."""
    content = Content(file)
    start = content.head(_HEAD)
    if is_zip(start) or _is_tar(start):
        warnings: list[ReadWarning] = []
        bundle = ZipBundle(file.open("rb"), str(file)) if is_zip(start) else _tar(file.open("rb"), str(file), warnings)
        return _unboxed(Document(str(file), b"", warnings, bundle), sha256_of(file), content.size, input_format)
    if is_packed(start):
        return load_bytes(content.read(), str(file), input_format)
    if _is_database(start):
        document = _database(file, str(file), file)
        if not input_format and sniff(document) is None:
            raise not_recognised(
                document, mapped=False
            )  # Most large databases are no agent's, and hashing one takes long.
        return _read(document, sha256_of(file), content.size, input_format)
    return _read(Document(str(file), content), sha256_of(file), content.size, input_format)


def load_bytes(data: bytes, name: str, input_format: str | None = None, *, boxes: int = 0) -> Transcript:
    """Read a transcript from memory, packed or not; `name` is what messages and reports call it, `boxes` how many
    archives it lies in."""
    digest, size = hashlib.sha256(data).hexdigest(), len(data)
    damages: list[ReadWarning] = []
    plain = unpacked(data, name, damages)
    if is_zip(plain) or _is_tar(plain):
        if boxes >= _MOST_BOXES:
            raise UnreadableInput("is an archive inside of others; not read.", where=name)
        bundle = ZipBundle(plain, name) if is_zip(plain) else _tar(plain, name, damages)
        return _unboxed(Document(name, b"", damages, bundle), digest, size, input_format, boxes)
    return _read(document_of(plain, name, damages), digest, size, input_format)


def document_of(data: bytes, name: str, warnings: list[ReadWarning] | None = None) -> Document:
    """A file that is no archive as what the formats look at. Raises `UnreadableInput` for an empty or a binary one."""
    if _is_database(data):
        return _database(data, name)
    text, more = decode(data, name)
    return Document(name, text, [*(warnings or ()), *more])


def _is_database(start: bytes) -> bool:
    """As `analyzer.formats.container.database.is_database`, without importing that module for a file that is none."""
    return start.startswith(b"SQLite format 3")


def _database(source: bytes | Path, name: str, file: Path | None = None) -> Document:
    from analyzer.formats.container.database import Database, log_of

    database = Database(source, name, log_of(file) if file is not None else None)
    return Document(name, database.outline, database.warnings, database=database)


def _load_session_at(file: Path, input_format: str | None) -> Transcript | None:
    """A session of which a file, or a folder, is only a part; None where it's more than that, or all of it."""
    if not (file.is_dir() or file.with_suffix("").is_dir()):
        return None
    if _forced(input_format) and by_name(f"{input_format}-folder") is None:
        return None
    from analyzer.formats.loading.folders import session_at

    unit = session_at(file)
    if unit is None:
        return None
    bundle = DirectoryBundle(Path(os.path.abspath(file)).parent, members=unit.members)  # noqa: PTH100
    if sniff(Document(str(file), b"", bundle=bundle)) is None:
        return None
    return load_bundle(bundle, str(file), input_format, bundle.size)


def load_bundle(bundle: Bundle, name: str, input_format: str | None = None, size: int = 0) -> Transcript:
    """Read several files as one transcript: the members of a folder that belong together; `name` is what messages and
    reports call it, `size` their bytes.

    Raises `UnreadableInput` where no known format is kept as such files.
    """
    document = Document(name, b"", bundle=bundle)
    if _forced(input_format):
        # Some formats have a sibling for what is kept as several files.
        several = by_name(f"{input_format}-folder")
        input_format = several.name if several is not None else input_format
    elif sniff(document) is None:
        raise UnreadableInput("is none of the folders that a known agent keeps a session in.", where=name)
    return _read(document, "", size, input_format)


def _is_tar(start: bytes) -> bool:
    """As `analyzer.formats.container.tar.is_tar`, without importing that module for a file that is none."""
    if start[257:262] != b"ustar":
        return False
    from analyzer.formats.container.tar import is_tar

    return is_tar(start)


def _tar(source: bytes | IO[bytes], name: str, warnings: list[ReadWarning]) -> Bundle:
    from analyzer.formats.container.tar import TarBundle

    return TarBundle(source, name, warnings)


def _unboxed(document: Document, digest: str, size: int, input_format: str | None, boxes: int = 0) -> Transcript:
    if not _forced(input_format) and sniff(document) is None:
        return _load_box(document, digest, size, boxes, input_format)
    return _read(document, digest, size, input_format)


def _load_directory(root: Path, input_format: str | None) -> Transcript:
    bundle = DirectoryBundle(root)
    document = Document(str(root), b"", bundle=bundle)
    if not _forced(input_format) and sniff(document) is None:
        raise UnreadableInput(
            "is a directory, and not one that a known agent keeps a session in.",
            where=str(root),
            hint="Name one recorded file of it.",
        )
    return _read(document, "", bundle.size, input_format)


def _load_box(document: Document, digest: str, size: int, boxes: int, input_format: str | None) -> Transcript:
    """An archive that is no format of its own: every member that is a transcript is read, those that belong together as
    one; the others are counted."""
    from analyzer.formats.container.tree import BundleTree, PartBundle
    from analyzer.formats.loading.folders import units

    bundle = document.bundle
    assert bundle is not None
    sessions: list[Session] = []
    skipped: list[ReadWarning] = list(document.warnings)
    read_as: dict[str, None] = {}
    count = RecordCount()
    for unit in units(BundleTree(bundle)):
        name = f"{document.name}!{unit.path}"
        try:
            if unit.members:
                found = load_bundle(PartBundle(bundle, unit.root, unit.members), name)
            else:
                found = load_bytes(bundle.read(unit.path), name, input_format, boxes=boxes + 1)
        except UnreadableInput as error:
            skipped.append(ReadWarning(unit.path, f"{error.what} Skipped."))
            continue
        read_as.update(dict.fromkeys(found.format.split("+")))
        count += found.records
        sessions.extend(found.sessions)
    if not sessions:
        raise UnreadableInput(
            f"is an archive of {len(bundle.names)} files, none of them a transcript of a known format.",
            where=document.name,
        )
    sessions[0].warnings[:0] = skipped
    return Transcript(document.name, "+".join(read_as), size, digest, sessions, count)


def _read(document: Document, digest: str, size: int, input_format: str | None) -> Transcript:
    entry, document = _format_of(document, input_format)
    if entry is None:
        if _forced(input_format):
            known = ", ".join(one.name for one in formats())
            raise UnreadableInput(f"unknown input format {input_format!r}.", hint=f"Known formats: {known}.")
        raise not_recognised(document, mapped=bool(input_format))
    try:
        sessions = list(entry.read(document))
        if not sessions:
            raise UnreadableInput(f"looks like {entry.title} but holds no session.", where=document.name)
    except UnreadableInput as error:
        error = _damaged(document) or error
        error.format, error.size_bytes = entry.name, size
        raise error from None
    sessions[0].warnings[:0] = document.warnings
    if document.database is not None and (broken := document.database.broken_page()) is not None:
        sessions[0].warnings.insert(0, broken)
    share_definitions(document, sessions)
    note_children(sessions)
    for session in sessions:
        write_deep_as_text(session)
        split_thoughts(session)
        mark_failed_calls(session)
        forget_blanked(session)
        drop_recorded_again(session)
        forget_zero_counts(session)
        if (warning := remark(session)) is not None:
            session.warnings.append(warning)
    return Transcript(document.name, entry.name, size, digest, sessions, document.count)


def _damaged(document: Document) -> UnreadableInput | None:
    """The error about a database of which nothing could be read because it's broken."""
    database = document.database
    damage = database.damage() if database is not None else None
    if damage is None:
        return None
    from analyzer.formats.container.database import damaged

    return damaged(damage, document.name)


def _forced(input_format: str | None) -> bool:
    """Whether a format is named that reads everything. One of a mapping reads what it fits."""
    return bool(input_format) and not str(input_format).startswith(MAPPING)


def _format_of(document: Document, input_format: str | None) -> tuple[Format | None, Document]:
    """The format that reads a document, and what it's to read: the document, or the records that stand inside of its
    lines."""
    named = by_name(input_format) if input_format else None
    if named is not None and named.sniff(document):
        return named, document
    if _forced(input_format):
        inside = named and (unwrapped(document, named) or unwrapped_value(document, named))
        return inside or (named, document)
    if (found := sniff_particular(document)) is not None:
        return found, document
    if (inside := unwrapped(document)) is not None:
        return inside
    if (found := sniff_general(document)) is not None:
        return found, document
    return unwrapped_value(document) or (None, document)
