"""Cursor's sessions: an agent's transcript (JSON lines), the database of the editor with all its conversations, and the
store of a chat of its command line."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator

from analyzer.formats.container.document import Document, Record
from analyzer.formats.cursor.chat_store import is_chat_store, read_chat_store
from analyzer.formats.cursor.store import has_conversations, read_store
from analyzer.formats.record.fields import arguments_of, dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.sessions import FileLog, SessionsFormat
from analyzer.formats.record.warnings import NAMELESS_CALL, WarningLog
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.text.expressions import compiled

_QUERY = compiled(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_ROLES = ("user", "assistant")


def is_line(value: object) -> bool:
    """Whether a record is a line of a transcript: a role beside a message, and nothing that names a session."""
    line = dict_of(value)
    return (
        line.get("role") in _ROLES
        and isinstance(dict_of(line.get("message")).get("content"), list)
        and not {"type", "uuid", "sessionId", "content"} & line.keys()
    )


def read_transcript(session: Session, records: Iterable[Record]) -> None:
    """Fill the session with what the lines say."""
    warning_log = WarningLog()
    open_calls: deque[ToolCall] = deque()
    users = answers = made = 0
    for record in records:
        role = record.value.get("role")
        if role not in _ROLES:
            warning_log.add(record.place, "line of neither the user nor the agent; skipped")
            continue
        answers += role == "assistant"
        for block in map(dict_of, list_of(dict_of(record.value.get("message")).get("content"))):
            kind, text = block.get("type"), text_of(block.get("text"))
            if kind == "text" and role == "user":
                users += _heard(session, text)
            elif kind == "text":
                session.say(Message("assistant", text))
            elif kind == "thinking":
                session.say(Message("assistant", text_of(block.get("thinking")) or text, thought=True))
            elif kind == "tool_use":
                made += 1
                name = str_or_none(block.get("name"))
                if name is None:
                    warning_log.add(record.place, NAMELESS_CALL)
                call_id = str_or_none(block.get("id")) or f"call {made}"
                call = ToolCall(call_id, name or "unknown", arguments_of(block.get("input")), batch=f"answer {answers}")
                open_calls.append(call)
                session.events.append(call)
            elif kind == "tool_result":
                session.events.append(_result(block, open_calls))
            elif kind != "image":
                warning_log.add(record.place, f"unknown content block {str(kind)[:60]!r}; skipped")
    session.user_messages, session.assistant_messages = users, answers
    session.warnings += warning_log.warnings()


def _heard(session: Session, text: str) -> bool:
    """What the user said is in a tag of its own, where the editor put something around it."""
    found = _QUERY.search(text)
    said = found[1] if found else text
    around = _QUERY.sub("", text).strip() if found else ""
    session.say(Message("harness", around))
    session.say(Message("user", said))
    if said.strip():
        session.task = session.task or said.strip()
    return bool(said.strip())


def _result(block: dict[str, object], open_calls: deque[ToolCall]) -> ToolResult:
    """Calls have no ids, so that a result is that of the first call without one."""
    named = str_or_none(block.get("tool_use_id"))
    call = next((one for one in open_calls if one.id == named), None) or (open_calls[0] if open_calls else None)
    if call is not None:
        open_calls.remove(call)
    failed = block.get("is_error")
    flag = failed if isinstance(failed, bool) else None
    return ToolResult(call.id if call is not None else named, text_of(block.get("content")), flag)


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
