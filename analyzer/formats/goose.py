"""Sessions of Goose: an SQLite database of all of them, or, before 1.10, JSON lines with a header.

The messages are the same in both: parts with requests to tools and their responses, each of which says whether the tool
could be asked at all; what the tool then answered may be an error besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat
from analyzer.formats.record.fields import dict_of, int_or_none, json_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import records_of, sample_of, take_time
from analyzer.model.session import Compaction, Session, Tokens, ToolResult
from analyzer.model.words import Mark

_PARTS = (
    *("text", "thinking", "reasoning", "toolRequest", "toolResponse", "toolConfirmationRequest"),
    *("frontendToolRequest", "systemNotification", "redactedThinking", "image", "actionRequired"),
)
_KEYS = frozenset({"id", "role", "created", "content", "metadata"})
_SILENT = frozenset({"toolConfirmationRequest", "redactedThinking", "image", "actionRequired"})
_COMPACTED = "conversationCompacted"
_DECLINED = "declined to run this tool"


class Goose(SessionsFormat):
    """Reads every session of a database in which something was said, and a file of lines as one."""

    name = "goose"
    title = "Goose"
    versions = "as published: the database since 1.10, JSON lines before"
    not_recorded = (
        "how the session ended",
        "tokens and cost of single steps",
        "exit codes, unless the result has them",
    )
    nothing = "session of Goose"

    def sniff(self, document: Document) -> bool:
        """Whether the document is a database with Goose's tables, or lines with its messages."""
        if document.database is not None:
            return _is_store(document.database)
        return any(map(_is_message, sample_of(document, 6)))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The sessions in the order in which they began."""
        if document.database is not None and _is_store(document.database):
            return _of_store(document.database)
        return _of_lines(document, log)


FORMAT = Goose()
"""The object that the registry lists."""


def _is_store(database: Database) -> bool:
    return database.has("sessions", "id", "working_dir") and database.has("messages", "session_id", "content_json")


def _is_message(value: object) -> bool:
    message = dict_of(value)
    parts = [dict_of(part).get("type") for part in list_of(message.get("content"))]
    if not {"created", "role"} <= message.keys() or not message.keys() <= _KEYS:
        return False
    return bool(parts) and all(kind in _PARTS for kind in parts)


def _of_store(database: Database) -> Iterator[Session]:
    for row in database.rows("sessions", "created_at"):
        session = Session(str(row["id"]), agent="Goose")
        reader = _Reader(session)
        reader.header(row)
        for number, message in enumerate(database.rows("messages", "created_timestamp", "id", session_id=row["id"])):
            content = json_or_none(text_of(message.get("content_json")))
            about = dict_of(json_or_none(text_of(message.get("metadata_json"))))
            created = message.get("created_timestamp")
            reader.message(f"{session.id}, message {number}", message.get("role"), content, created, about)
        reader.close()
        if session.events:
            yield session


def _of_lines(document: Document, log: FileLog) -> Iterator[Session]:
    session = Session(document.stem, agent="Goose")
    reader, known = _Reader(session), False
    for record in records_of(document, log.damage):
        value = record.value
        if "role" in value:
            known = known or _is_message(value)
            about = dict_of(value.get("metadata"))
            reader.message(record.place, value.get("role"), value.get("content"), value.get("created"), about)
        elif "working_dir" in value:
            reader.header(value)
        else:
            reader.log.add(record.place, "neither a message nor a header; skipped")
    reader.close()
    if known:
        yield session


class _Reader(RecordReader):
    def header(self, about: dict[str, Any]) -> None:
        """Take in a row of the sessions, or the first line of a file."""
        session = self.session
        session.title = str_or_none(about.get("name")) or str_or_none(about.get("description"))
        self.place(about, working_dir="working directory", parent_session_id="sub-agent of")
        model = about.get("model_config") or json_or_none(text_of(about.get("model_config_json")) or "null")
        session.model = str_or_none(dict_of(model).get("model_name"))
        for key in ("created_at", "updated_at"):
            take_time(session, _zoned(about.get(key)))
        sent, output = (int_or_none(about.get(f"accumulated_{key}_tokens")) for key in ("input", "output"))
        session.tokens = Tokens(sent, output)

    def message(self, place: str, role: object, content: object, created: object, about: dict[str, Any]) -> None:
        """Take in one message."""
        time = self.clock(created)
        if role not in ("user", "assistant", "tool"):
            self.log.add(place, "message of neither the user nor the agent; skipped")
            return
        if content is None:
            self.log.add(place, "message whose content is no JSON; skipped")
            return
        self.answers += role == "assistant"
        injected = about.get("userVisible") is False
        parts = content if isinstance(content, list) else [content]
        for part in parts:
            block = part if isinstance(part, dict) else {"type": "text", "text": part}
            self._part(place, str(role), block, time, injected=injected)

    def _part(self, place: str, role: str, part: dict[str, Any], time: float | None, *, injected: bool) -> None:
        session, kind, text = self.session, part.get("type"), text_of(part.get("text"))
        if kind == "text" and role == "assistant":
            self.say(text, time)
        elif kind == "text":
            (self.note if injected else self.heard)(text, time)
        elif kind in ("thinking", "reasoning"):
            self.say(text_of(part.get("thinking")) or text, time, thought=True)
        elif kind in ("toolRequest", "frontendToolRequest"):
            self._request(place, part, time)
        elif kind == "toolResponse":
            session.events.append(_result(part, time))
        elif kind == "systemNotification":
            if part.get("notificationType") == _COMPACTED:
                session.events.append(Compaction(time))
            self.note(text_of(part.get("msg")), time)
        elif kind == _COMPACTED or kind == "contextLengthExceeded":
            session.events.append(Compaction(time))
        else:
            self.unknown(place, "part", kind, _SILENT)

    def _request(self, place: str, part: dict[str, Any], time: float | None) -> None:
        call = dict_of(part.get("toolCall"))
        value = dict_of(call.get("value")) or call
        batch = f"answer {self.answers}"
        self.call(place, part.get("id"), value.get("name"), value.get("arguments"), time, batch=batch)


def _result(part: dict[str, Any], time: float | None) -> ToolResult:
    answer = dict_of(part.get("toolResult"))
    value = answer.get("value")
    inner = dict_of(value)
    result = ToolResult(str_or_none(part.get("id")), "", time=time)
    if answer.get("status") == "error":
        result.text, result.is_error = text_of(answer.get("error")), True
    else:
        result.text = text_of(inner.get("content") if "content" in inner else value)
        structured = dict_of(inner.get("structuredContent"))
        codes = (int_or_none(structured.get(key)) for key in ("exit_code", "exitCode"))
        result.exit_code = next((code for code in codes if code is not None), None)
        flag = inner.get("isError")
        result.is_error = flag if isinstance(flag, bool) and (flag or result.exit_code is None) else None
    if _DECLINED in result.text[:400]:
        result.mark = Mark.DENIED
    return result


def _zoned(value: object) -> object:
    """A time of the database, which is in UTC without saying so."""
    text = str_or_none(value)
    return f"{text}+00:00" if text and text[-1].isdigit() and "+" not in text and " " in text else value
