"""Cursor's sessions: an agent's transcript (JSON lines), the database of the editor with all its conversations, and the
store of a chat of its command line."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.cursor.chat_store import is_chat_store, read_chat_store
from analyzer.formats.cursor.store import has_conversations, read_store
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.record.fields import dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import records_of, sample_of
from analyzer.model.session import Session, ToolCall
from analyzer.text.expressions import compiled

_QUERY = compiled(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)


class _Transcript(RecordReader):
    """Goes through the lines of a transcript, which has no ids, times or results that name their call."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._open: deque[ToolCall] = deque()

    def take(self, place: str, record: dict[str, Any]) -> None:
        role = record.get("role")
        if role not in ("user", "assistant"):
            self.log.add(place, "line of neither the user nor the agent; skipped")
            return
        self.answers += role == "assistant"
        for block in map(dict_of, list_of(dict_of(record.get("message")).get("content"))):
            kind, text = block.get("type"), text_of(block.get("text"))
            if kind == "text" and role == "user":
                # What the user said is in a tag of its own, where the editor put something around it.
                found = _QUERY.search(text)
                self.note(_QUERY.sub("", text).strip() if found else "")
                self.heard(found[1] if found else text)
            elif kind in ("text", "thinking"):
                self.say(text_of(block.get(str(kind))) or text, thought=kind == "thinking")
            elif kind == "tool_use":
                number, name = self.numbered("call "), block.get("name")
                ident = str_or_none(block.get("id")) or number
                self._open.append(self.call(place, ident, name, block.get("input"), batch=f"answer {self.answers}"))
            elif kind == "tool_result":
                self._result(block)
            elif kind != "image":
                self.unknown(place, "content block", kind)

    def _result(self, block: dict[str, Any]) -> None:
        """A result is that of the call that it names, else of the first call without one."""
        named = str_or_none(block.get("tool_use_id"))
        call = next((one for one in self._open if one.id == named), self._open[0] if self._open else None)
        if call is not None:
            self._open.remove(call)
        self.result(call.id if call is not None else named, text_of(block.get("content")), block.get("is_error"))


class Cursor(SessionsFormat):
    """Reads a transcript and a store as one session, and a database as one session per conversation."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is a transcript, or a database with conversations."""
        if document.database is not None:
            return has_conversations(document.database) or is_chat_store(document.database)
        sample = sample_of(document, 5)
        return bool(sample) and all(map(self.is_own, sample))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The conversations."""
        if (database := document.database) is not None:
            store = is_chat_store(database)
            yield from [read_chat_store(database, document.stem)] if store else read_store(database)
            return
        records = [(record.place, record.value) for record in records_of(document, log.damage)]
        if any(self.is_own(value) for _, value in records):
            yield _Transcript(Session(document.stem, agent="Cursor")).all_of(records)


FORMAT = described(__file__, Cursor)
