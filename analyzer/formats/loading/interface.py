"""What a transcript format is: a name, a way to recognise it and a way to read it; and what ours have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from analyzer.formats.container.document import HEAD_RECORDS, Document
from analyzer.formats.container.tree import Claim, Folder
from analyzer.formats.record.fields import unused_name
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, Session
from analyzer.model.words import Ending
from analyzer.text.expressions import KEPT
from analyzer.text.late import joined, late

if TYPE_CHECKING:
    from analyzer.formats.container.database import Database


class Format(Protocol):
    """One transcript format, in one file.

    `sniff` looks at content, never at the name alone, is cheap (it may look at `document.value` and `document.head`,
    which are parsed once for all formats) and never raises. `read` yields one session per run of an agent, in file
    order; a record that it doesn't understand goes into the session's warnings, with its place. It raises
    `UnreadableInput` only when nothing can be read at all.
    """

    name: str
    """The short name used in reports and with `--input-format`."""
    title: str
    """The producer's name, for people."""
    versions: str
    """What was seen and read of it, for people: the producer's versions or the dialects. `as published` marks what was
    written from the producer's own description, since no recording was at hand."""
    not_recorded: tuple[str, ...]
    """What this format never records, so that "unknown" in a report can be explained."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is of this format."""
        ...

    def read(self, document: Document) -> Iterator[Session]:
        """The document's sessions."""
        ...


@runtime_checkable
class Layout(Protocol):
    """How a format's sessions lie in folders, for formats that read several files together.

    A format of another package has `claim` itself; ours are rows of `loading.folders`, so that a search through folders
    doesn't import the readers.
    """

    def claim(self, folder: Folder) -> Claim | None:
        """What of a folder the format reads together; None where it reads its files one by one, or not at all."""
        ...


class FileLog(WarningLog):
    """What can't be read of a file whose sessions are several: it's said of the first of them. `damage` has the lines
    and members that are none."""

    def __init__(self) -> None:
        super().__init__()
        self.damage: list[ReadWarning] = []


class SessionsFormat:
    """A format whose files hold any number of sessions. What it's called and how its files are known is in the
    table `format` of the file of the same name beside its module."""

    name: str
    title: str
    agent: str | None = None
    versions: str
    not_recorded: tuple[str, ...] = ()
    nothing: str
    """What a file lacks that holds no session."""
    own: tuple[Mapping[str, Any], ...] = ()
    """What only records of this format hold: one of these."""
    tables: Mapping[str, Sequence[str]] = {}
    """The tables of a database of this format, with the columns that tell them from others'."""
    readable: tuple[Mapping[str, Any], ...] = ()
    """What else the records of a file hold that is read where the format is named: one of these."""
    leaves: tuple[str, ...] = ()
    """The keys below which texts are left on purpose where they aren't read."""
    kind_keys: tuple[str, ...] = ()
    """The keys under which objects say of which kind they are, beside the usual ones."""
    looked_at = HEAD_RECORDS
    """Of how many records the first that is the format's own is enough to recognise it."""
    listed: str | None = None
    """The key of the list of records in a file that is one object."""
    said_something = False
    """Whether a session in which nothing was said or done is left out."""

    def describe(self, about: Mapping[str, Any]) -> None:
        """Take what a table says of the format."""
        for key, value in about.items():
            setattr(self, key, tuple(value) if isinstance(value, list) else value)

    def is_own(self, value: Any) -> bool:
        """Whether a record is one that only this format has."""
        from analyzer.formats.loading.mapping.values import holds

        return isinstance(value, dict) and any(holds(value, condition) for condition in self.own)

    def is_readable(self, value: Any) -> bool:
        """Whether a record shows that the file is read where the format is named, though it may not be recognised."""
        from analyzer.formats.loading.mapping.values import holds

        return self.is_own(value) or any(holds(value, condition) for condition in self.readable)

    def is_store(self, database: Database) -> bool:
        """Whether a database has the format's tables."""
        return bool(self.tables) and all(database.has(table, *columns) for table, columns in self.tables.items())

    def sniff(self, document: Document) -> bool:
        """Whether one of the first records is the format's own, or the database has its tables."""
        from analyzer.formats.record.records import sample_of

        if document.database is not None:
            return self.is_store(document.database)
        return any(map(self.is_own, sample_of(document, self.looked_at, self.listed)))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the sessions in file order, each under a name of its own."""
        log, taken = FileLog(), set[str]()
        found = [session for session in self.sessions(document, log) if session.events or not self.said_something]
        if not found:
            raise UnreadableInput(f"holds no {self.nothing}.", where=document.name)
        for session in found:
            session.id = unused_name(session.id or document.stem, taken)
        found[0].warnings[:0] = log.damage
        found[0].warnings += log.warnings()
        yield from found

    def sessions(self, document: Document, log: FileLog) -> Iterable[Session]:
        """The sessions of a file; none of one that isn't the format's."""
        raise NotImplementedError


class ObjectFormat(SessionsFormat):
    """A format of one object per file, which is one session."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is such an object."""
        return self.is_own(document.value)

    def sessions(self, document: Document, _log: FileLog) -> Iterable[Session]:
        """The one session."""
        if self.is_readable(document.value):
            yield self.session(document, document.value)

    def session(self, document: Document, value: Any) -> Session:
        """The session that the document's object is."""
        raise NotImplementedError


_Described = TypeVar("_Described", bound=SessionsFormat)


def described(file: str, kind: type[_Described]) -> _Described:
    """A format of a kind, as the file of the same name beside its module `file` describes it."""
    made = kind()
    made.describe(_tables(file)["format"])
    return made


def words_of(file: str) -> dict[str, Any]:
    """The words that a format knows, by the names of their tables: those of the file of the same name beside a module
    `file`, or of `format.toml` where the module is a part of a package."""
    found: dict[str, Any] = _tables(file)["words"]
    return found


def expressions_of(file: str) -> dict[str, re.Pattern[str]]:
    """The expressions that a format knows, by their names, from beside a module as its words. One goes on in the lines
    below it that are indented by four blanks, and `{NAME}` stands for one above it."""
    parts: dict[str, str] = {}
    for name, text in _tables(file)["expressions"].items():
        parts[name] = joined(text, parts)[0]
    return {name: late(source) for name, source in parts.items()}


def end_of(
    words: Mapping[str, Mapping[str, str]], status: str | None, otherwise: str | None = None
) -> tuple[Ending | None, str | None]:
    """What a log's own word for the end of a session means, and the sentence about it; for any other word nothing but
    the sentence `otherwise`."""
    known = words.get(status or "")
    if known is None:
        return None, otherwise
    return (Ending(known["ending"]) if "ending" in known else None), known.get("detail")


@cache
def _tables(file: str) -> dict[str, Any]:
    own = Path(file).with_suffix(".toml")
    return KEPT.table((own if own.is_file() else own.with_name("format.toml")).read_text(encoding="utf-8"))
