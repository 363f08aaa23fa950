"""Cursor's sessions: an agent's transcript (JSON lines), the database of the editor with all its conversations, and the
store of a chat of its command line."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.container.document import Document
from analyzer.formats.cursor.chat_store import is_chat_store, read_chat_store
from analyzer.formats.cursor.store import has_conversations, read_store
from analyzer.formats.cursor.transcript import is_line, read_transcript
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.sessions import FileLog, SessionsFormat
from analyzer.model.session import Session


class Cursor(SessionsFormat):
    """Reads a transcript and a store as one session, and a database as one session per conversation."""

    name = "cursor"
    title = "Cursor"
    versions = (
        "agent transcripts, databases of 2024; the database of 2025 and 2026, and the command line's store.db as "
        "published"
    )
    not_recorded = (
        "how the session ended",
        "cost",
        "results, ids, times, model and tokens (transcripts)",
        "the working directory (databases)",
        "times, ids of messages and tokens (store.db)",
    )

    nothing = "conversation of Cursor"

    def sniff(self, document: Document) -> bool:
        """Whether the document is a transcript, or a database with conversations."""
        if document.database is not None:
            return has_conversations(document.database) or is_chat_store(document.database)
        sample = sample_of(document, 5)
        return bool(sample) and all(map(is_line, sample))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The conversations."""
        if document.database is not None:
            if is_chat_store(document.database):
                found = [read_chat_store(document.database, document.stem)]
            else:
                found = list(read_store(document.database))
            yield from (session for session in found if session.events)
            return
        records = list(records_of(document, log.damage))
        if any(is_line(record.value) for record in records):
            session = Session(document.stem, agent="Cursor")
            read_transcript(session, records)
            yield session


FORMAT = Cursor()
"""The object that the registry lists."""
