"""Open a file or a stream, find out what it is, and read its sessions."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from pathlib import Path
from typing import IO

from analyzer.formats.container.bundle import Bundle, DirectoryBundle, TarBundle, ZipBundle
from analyzer.formats.container.content import MOST_HELD, Content, sha256_of
from analyzer.formats.container.document import Document
from analyzer.formats.container.unpack import decode, is_database, is_packed, is_tar, is_zip, unpacked
from analyzer.formats.loading.reading import forced, read
from analyzer.formats.loading.registry import by_name, sniff
from analyzer.formats.loading.unknown import not_recognised
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
            return load_bundle(DirectoryBundle(file), name, input_format)
        source = _source(file)
    except FileNotFoundError:
        raise UnreadableInput("no such file.", where=name) from None
    except OSError as error:
        raise UnreadableInput(f"can't be read: {error.strerror or error}.", where=name) from error
    return _load(source, name, input_format, file)


def _source(file: Path) -> bytes | Path:
    """What a file holds, or the file itself where it's too large to be held."""
    state = file.stat()
    if state.st_size > STREAMED:
        return file
    if stat.S_ISCHR(state.st_mode) or stat.S_ISBLK(state.st_mode):
        raise UnreadableInput("is a device; not read.", where=str(file))
    if stat.S_ISREG(state.st_mode):
        return file.read_bytes()
    with file.open("rb") as stream:
        return _read_stream(stream, str(file))


def _read_stream(stream: IO[bytes], name: str) -> bytes:
    """What a pipe gives until it ends. Raises `UnreadableInput` for one that gives more than fits."""
    data = stream.read(MOST_HELD + 1)
    if len(data) > MOST_HELD:
        raise UnreadableInput(
            f"gives more than {MOST_HELD >> 20} MB; not read.", where=name, hint="Write it to a file, and name that."
        )
    return data


def load_bytes(data: bytes, name: str, input_format: str | None = None) -> Transcript:
    """Read a transcript from memory, packed or not; `name` is what messages and reports call it."""
    return _load(data, name, input_format)


def _load(
    source: bytes | Path, name: str, input_format: str | None, file: Path | None = None, boxes: int = 0
) -> Transcript:
    """Read a file that is held, or is read from disk as often as needed, line by line if it consists of lines. `boxes`
    is how many archives it lies in."""
    content, warnings = Content(source), list[ReadWarning]()
    plain, start = source, content.head(_HEAD)
    if is_packed(start):
        plain = unpacked(content.read(), name, warnings)
        start = plain[:_HEAD]
    if boxes >= _MOST_BOXES and (is_zip(start) or is_tar(start)):
        raise UnreadableInput("is an archive inside of others; not read.", where=name)
    if (bundle := _archive(plain, start, name, warnings)) is not None:
        document = Document(name, b"", warnings, bundle)
    elif is_database(start):
        document = _database(plain, name, file if plain is source else None)
    else:
        document = document_of(plain, name, warnings) if isinstance(plain, bytes) else Document(name, content)
    if not forced(input_format) and bundle is not None and sniff(document) is None:
        return _load_box(document, _digest(source), content.size, boxes, input_format)
    if isinstance(plain, Path) and document.database is not None and not input_format and sniff(document) is None:
        # Most large databases are no agent's, and hashing one takes long.
        raise not_recognised(document, mapped=False)
    return read(document, _digest(source), content.size, input_format)


def _digest(source: bytes | Path) -> str:
    return hashlib.sha256(source).hexdigest() if isinstance(source, bytes) else sha256_of(source)


def document_of(data: bytes, name: str, warnings: list[ReadWarning] | None = None) -> Document:
    """A file that is no archive as what the formats look at. Raises `UnreadableInput` for an empty or a binary one."""
    if is_database(data):
        return _database(data, name)
    text, more = decode(data, name)
    return Document(name, text, [*(warnings or ()), *more])


def _database(source: bytes | Path, name: str, file: Path | None = None) -> Document:
    from analyzer.formats.container.database import Database, log_of

    database = Database(source, name, log_of(file) if file is not None else None)
    return Document(name, database.outline, database.warnings, database=database)


def _load_session_at(file: Path, input_format: str | None) -> Transcript | None:
    """A session of which a file, or a folder, is only a part; None where it's more than that, or all of it."""
    if not (file.is_dir() or file.with_suffix("").is_dir()):
        return None
    if forced(input_format) and by_name(f"{input_format}-folder") is None:
        return None
    from analyzer.formats.loading.folders import session_at

    unit = session_at(file)
    if unit is None:
        return None
    bundle = DirectoryBundle(Path(os.path.abspath(file)).parent, members=unit.members)  # noqa: PTH100
    if sniff(Document(str(file), b"", bundle=bundle)) is None:
        return None
    return load_bundle(bundle, str(file), input_format)


def load_bundle(bundle: Bundle, name: str, input_format: str | None = None) -> Transcript:
    """Read several files as one transcript: the members of a folder that belong together; `name` is what messages and
    reports call it.

    Raises `UnreadableInput` where no known format is kept as such files.
    """
    document = Document(name, b"", bundle=bundle)
    if forced(input_format):
        # Some formats have a sibling for what is kept as several files.
        several = by_name(f"{input_format}-folder")
        input_format = several.name if several is not None else input_format
    elif sniff(document) is None:
        raise UnreadableInput(
            "is a directory, and not one that a known agent keeps a session in.",
            where=name,
            hint="Name one recorded file of it.",
        )
    return read(document, "", bundle.size if isinstance(bundle, DirectoryBundle) else 0, input_format)


def _archive(source: bytes | Path, start: bytes, name: str, warnings: list[ReadWarning]) -> Bundle | None:
    """The members of an archive; None for anything else."""
    held = source if isinstance(source, bytes) else None
    if is_zip(start):
        return ZipBundle(held or Path(name).open("rb"), name)
    return TarBundle(held or Path(name).open("rb"), name, warnings) if is_tar(start) else None


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
                found = _load(bundle.read(unit.path), name, input_format, boxes=boxes + 1)
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
