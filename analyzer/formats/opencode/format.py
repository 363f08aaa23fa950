"""Sessions of opencode, whose messages and parts are the same objects in an export, an event stream, a database and a
folder of files."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.opencode.events import is_event_stream, sessions_of_events
from analyzer.formats.opencode.files import files_of_sessions, sessions_of_files
from analyzer.formats.opencode.messages import is_message, session_of
from analyzer.formats.opencode.store import is_store, sessions_of_store
from analyzer.formats.record.fields import dict_of
from analyzer.formats.record.sessions import FileLog, SessionsFormat
from analyzer.model.session import Session


class OpenCode(SessionsFormat):
    """An export is one session; a stream, a database and a folder hold several, sub-agents' among them."""

    name = "opencode"
    title = "opencode"
    versions = (
        "exports of 1.2.20 to 1.2.24, event streams of 1.14.20; the database, the folder storage/ and "
        "run --format json as published"
    )
    not_recorded = ("whether the work was handed in as done",)
    nothing = "opencode session"

    def sniff(self, document: Document) -> bool:
        """Whether the document holds opencode's session info, or messages, events or tables that consist of its
        parts."""
        if document.database is not None:
            return is_store(document.database)
        if document.bundle is not None:
            return bool(files_of_sessions(document.bundle.names))
        value = document.value
        if value is MISSING:
            return is_event_stream(document)
        if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
            return False
        info = value.get("info")
        if not isinstance(info, dict):
            return False
        return "slug" in info or "projectID" in info or any(map(is_message, value["messages"][:5]))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The sessions, each sub-agent's as one of its own that names its parent."""
        value = dict_of(document.value)
        if document.value is not MISSING and isinstance(value.get("messages"), list):
            yield session_of(value, document.stem)
            return
        if document.database is not None:
            found = sessions_of_store(document.database)
        elif document.bundle is not None:
            found = sessions_of_files(document, log)
        else:
            found = sessions_of_events(document, log)
        yield from (session_of(one, name) for name, one in found.items() if one["messages"])


FORMAT = OpenCode()
"""The object that the registry lists."""
