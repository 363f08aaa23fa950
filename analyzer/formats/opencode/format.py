"""Sessions of opencode, whose messages and parts are the same objects in an export, an event stream, a database and a
folder of files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, words_of
from analyzer.formats.opencode.events import is_event_stream, take_events
from analyzer.formats.opencode.messages import is_message, session_of
from analyzer.formats.opencode.store import Store, files_of_sessions, take_files
from analyzer.formats.record.fields import dict_of, json_or_none, str_or_none
from analyzer.model.session import Session

_INFO = words_of(__file__)["info"]


def take_tables(database: Database, store: Store) -> None:
    """Take in the rows of the database, in the order in which they came to be."""
    for row in database.rows("session", "time_created", "id"):
        about = {key: row.get(column) for key, column in _INFO.items()} | {"id": row["id"]}
        about["time"] = {"created": row.get("time_created"), "updated": row.get("time_updated")}
        store.session(str(row["id"]))["info"] = about
    for row in database.rows("message", "time_created", "id"):
        ident, session = str(row["id"]), str(row["session_id"])
        store.message(ident, session)["info"] = _data(row) | {"id": row["id"], "sessionID": session}
    for row in database.rows("part", "id"):
        if str(row["message_id"]) in store.messages:
            store.part(_data(row) | {"id": row.get("id"), "messageID": str(row["message_id"])})


def _data(row: dict[str, Any]) -> dict[str, Any]:
    return dict_of(json_or_none(str_or_none(row.get("data")) or "null"))


class OpenCode(SessionsFormat):
    """An export is one session; a stream, a database and a folder hold several, sub-agents' among them."""

    def sniff(self, document: Document) -> bool:
        """Whether the document holds opencode's session info, or messages, events or tables that consist of its
        parts."""
        if document.database is not None:
            return self.is_store(document.database)
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
        store = Store()
        if document.database is not None:
            take_tables(document.database, store)
        elif document.bundle is not None:
            take_files(document, store, log)
        else:
            take_events(document, store, log)
        yield from (session_of(one, name) for name, one in store.sessions.items() if one["messages"])


FORMAT = described(__file__, OpenCode)
