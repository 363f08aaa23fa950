"""LangGraph: checkpoints of graphs in an SQLite database, one thread a session.

A checkpoint holds the whole state. The session is the path of checkpoints from the first to the latest; its messages
are those of all states on this path, each once, at the time of the checkpoint in which it stands first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.container.document import Document
from analyzer.formats.container.jsontext import NotJson, loads, unpack
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.record.chat_messages import Conversation, is_message
from analyzer.formats.record.fields import dict_of, str_or_none
from analyzer.formats.record.records import path_to
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Session
from analyzer.text.english import plural

_START = "__start__"


class LangGraphCheckpoints(SessionsFormat):
    """Reads every thread of a database in which something was said."""

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The threads in the order of their first checkpoints."""
        if document.database is not None and self.is_store(document.database):
            threads = _threads(document.database, log)
            log.damage += document.database.warnings
            yield from (_session(name, rows, log) for name, rows in threads.items())


def _threads(database: Database, log: WarningLog) -> dict[str, list[dict[str, Any]]]:
    """The checkpoints of each thread's own graph, in the order of their ids, which is that of time."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in database.raw_rows("checkpoints", "checkpoint_id"):
        name = str(row["thread_id"])
        if row.get("checkpoint_ns"):
            log.add(f"thread {name[:40]}", "a checkpoint of a subgraph; left out")
        else:
            found.setdefault(name, []).append(row)
    return found


def _session(name: str, rows: list[dict[str, Any]], log: WarningLog) -> Session:
    talk, seen = Conversation(Session(name)), set[str]()
    path = path_to(rows[-1], rows, "checkpoint_id", "parent_checkpoint_id")
    if left := len(rows) - len(path):
        # Those of other branches are tries that were taken back.
        log.add(f"thread {name[:40]}", f"{plural(left, 'checkpoint')} of branches that were taken back; left out")
    for row in path:
        place = f"checkpoint {str(row['checkpoint_id'])[:40]}"
        state = _state(row, place, log)
        for message in _messages(dict_of(state.get("channel_values")), ends=row is path[-1]):
            if (key := _key(message)) not in seen:
                seen.add(key)
                inner = {"timestamp": state.get("ts"), **message}
                if isinstance(kwargs := message.get("kwargs"), dict):
                    inner = {**message, "kwargs": {**kwargs, "timestamp": state.get("ts")}}
                talk.take(place, inner)
    return talk.closed()


def _state(row: dict[str, Any], place: str, log: WarningLog) -> dict[str, Any]:
    held = row.get("checkpoint")
    data = held.encode("utf-8", "surrogatepass") if isinstance(held, str) else held
    if not isinstance(data, bytes):
        log.wrong_type(place, held, "a checkpoint")
        return {}
    try:
        return dict_of(loads(data) if row.get("type") == "json" or data[:1] == b"{" else unpack(data))
    except NotJson as error:
        log.add(place, f"can't be unpacked ({error}); skipped")
        return {}


def _messages(channels: dict[str, Any], *, ends: bool) -> Iterator[dict[str, Any]]:
    """The messages of a state. What was put in at the start is a message of the next state, unless there's none."""
    started = dict_of(channels.get(_START)).get("messages") if ends else None
    for value in (*channels.values(), started):
        if isinstance(value, list) and any(map(is_message, value)):
            yield from (message for message in value if isinstance(message, dict))


def _key(message: dict[str, Any]) -> str:
    """What a message is known by in later states."""
    inner = dict_of(message.get("kwargs")) or message
    ident = str_or_none(inner.get("id"))
    return ident or f"{inner.get('type')} {inner.get('tool_call_id') or ''} {inner.get('content')}"


FORMAT = described(__file__, LangGraphCheckpoints)
