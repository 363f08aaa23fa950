"""Sessions of opencode, whose messages and parts are the same objects in an export, an event stream, a database and a
folder of files.

An event stream is what a plugin hears, where a line is a list of a hook's name and what it was given, or what `opencode
run --format json` prints, where a line is one part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, words_of
from analyzer.formats.loading.mapping.values import fulfils, holds, value_at
from analyzer.formats.opencode.messages import is_message, session_of
from analyzer.formats.opencode.store import Store, files_of_sessions, take_files
from analyzer.formats.record.fields import dict_of, json_or_none, str_or_none
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Session

_HOOKS = (b'["event"', b'["tool.definition"', b'["chat.')
_WORDS = words_of(__file__)


def _take_events(document: Document, store: Store, log: WarningLog) -> None:
    """Take in the stream: a plugin's hooks, printed parts, and what ended the last message of a session."""
    lines = document.text.rstrip("\n").split("\n")
    for number, text in enumerate(lines, 1):
        value, place = json_or_none(text), f"line {number}"
        if isinstance(value, list) and value and isinstance(name := value[0], str):
            if name == "event":
                _event(place, dict_of(value_at(value, "1.event")), store, log)
            elif not fulfils(name, _WORDS["other_hooks"]):
                log.add(place, f"unknown hook {name[:60]!r}; skipped")
        elif isinstance(value, dict) and holds(value, _WORDS["printed"]):
            store.part(dict_of(value["part"]) | {"sessionID": value["sessionID"]})
        elif isinstance(value, dict) and value.get("type") == "error" and "sessionID" in value:
            _error(store.session(str(value["sessionID"])), value.get("error"))
        elif text.strip():
            broken = "the file ends in the middle of this record" if number == len(lines) else "not JSON"
            log.add(place, f"{broken if value is None else 'no event of opencode'}; skipped")


def _event(place: str, event: dict[str, Any], store: Store, log: WarningLog) -> None:
    kind, about = event.get("type"), dict_of(event.get("properties"))
    info = dict_of(about.get("info"))
    if kind in ("session.created", "session.updated"):
        store.session(info.get("id"))["info"] |= info
    elif kind == "message.updated":
        store.message(info.get("id"), info.get("sessionID"))["info"] |= info
    elif kind == "message.part.updated":
        store.part(dict_of(about.get("part")))
    elif kind == "message.part.removed":
        store.remove_part(about.get("partID"))
    elif kind == "message.removed":
        store.remove_message(about.get("messageID"), about.get("sessionID"))
    elif kind == "session.error":
        _error(store.session(str(about.get("sessionID"))), about.get("error"))
    elif str(kind) not in _WORDS["silent_events"]:
        log.add(place, f"unknown event {str(kind)[:60]!r}; skipped")


def _error(session: dict[str, Any], error: object) -> None:
    if session["messages"] and isinstance(error, dict):
        session["messages"][-1]["info"].setdefault("error", error)


def _take_tables(database: Database, store: Store) -> None:
    for row in database.rows("session", "time_created", "id"):
        times = {"created": row.get("time_created"), "updated": row.get("time_updated")}
        store.session(str(row["id"]))["info"] = {**row, "parentID": row.get("parent_id"), "time": times}
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
            return bool(files_of_sessions(document.names))
        if (value := document.value) is MISSING:
            start = document.beginning(1 << 14)
            if start.lstrip()[:1] == b"[":
                return any(line.startswith(_HOOKS) for line in start.splitlines()[:20])
            return any(holds(record.value, _WORDS["printed"]) for record in document.head[:5])
        info, messages = dict_of(dict_of(value).get("info")), dict_of(value).get("messages")
        known = "slug" in info or "projectID" in info
        return isinstance(messages, list) and (known or any(map(is_message, messages[:5])))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The sessions, each sub-agent's as one of its own that names its parent."""
        value = dict_of(document.value)
        if document.value is not MISSING and isinstance(value.get("messages"), list):
            yield session_of(value, document.stem)
            return
        store = Store()
        if document.database is not None:
            _take_tables(document.database, store)
        elif document.bundle is not None:
            take_files(document, store, log)
        else:
            _take_events(document, store, log)
        yield from (session_of(one, name) for name, one in store.sessions.items() if one["messages"])


FORMAT = described(__file__, OpenCode)
