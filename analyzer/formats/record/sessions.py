"""What formats have in common: the sessions of a file, those of one object, and the one of a log of records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from analyzer.formats.container.document import HEAD_RECORDS, Document, Record
from analyzer.formats.record.fields import unused_name
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import opened, records_of, sample_of
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, Session


class FileLog(WarningLog):
    """What can't be read of a file whose sessions are several: it's said of the first of them. `damage` has the lines
    and members that are none."""

    def __init__(self) -> None:
        super().__init__()
        self.damage: list[ReadWarning] = []


class SessionsFormat:
    """A format whose files hold any number of sessions."""

    name: str
    title: str
    versions: str
    not_recorded: tuple[str, ...] = ()
    nothing: str
    """What a file lacks that holds no session."""
    looked_at = HEAD_RECORDS
    """Of how many records the first that is the format's own is enough to recognise it."""
    listed: str | None = None
    """The key of the list of records in a file that is one object."""
    said_something = False
    """Whether a session in which nothing was said or done is left out."""

    def is_own(self, value: Any) -> bool:
        """Whether a record is one that only this format has."""
        raise NotImplementedError

    def sniff(self, document: Document) -> bool:
        """Whether one of the first records is the format's own."""
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

    def is_readable(self, value: object) -> bool:
        """Whether an object is read where the format is named, though it may not be recognised as one of it."""
        return self.is_own(value)

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


class RecordFormat(SessionsFormat):
    """A format of one session per file, read record by record."""

    agent: str | None = None
    reader: type[RecordReader]
    beside: str | None = None
    """How the file is called that lies beside the records, in place of their suffix."""

    def sniff(self, document: Document) -> bool:
        """Whether one of the first records is the format's own."""
        lines = opened(document, self.beside)[0] if self.beside else document
        return (self.beside is None or lines.bundle is None) and super().sniff(lines)

    def sessions(self, document: Document, _log: FileLog) -> Iterable[Session]:
        """The one session."""
        lines, facts = opened(document, self.beside) if self.beside else (document, {})
        reader, known = self.reader(Session(lines.stem, agent=self.agent)), False
        for record in self.records(lines, reader.session):
            known = known or self.is_own(record.value)
            reader.take(record.place, record.value)
        if known:
            reader.about(facts)
            reader.close()
            yield reader.session

    def records(self, document: Document, session: Session) -> Iterable[Record]:
        """The records that make up the session."""
        return records_of(document, session.warnings, self.listed)
