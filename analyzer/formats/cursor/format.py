"""Cursor's sessions: an agent's transcript (JSON lines), the database of the editor with all its conversations, and the
store of a chat of its command line.

The conversations in the editor's database have grown three shapes. Newer ones are rows of their own, each answer and
each tool call a `bubble` in a row beside them; older ones are one list under one key, and before that tabs. An answer
that calls a tool is a bubble without words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.container.document import Document
from analyzer.formats.cursor.chat_store import is_chat_store, read_chat_store
from analyzer.formats.loading.interface import FileLog
from analyzer.formats.loading.mapping.declared import Declared, declared
from analyzer.formats.loading.mapping.reader import RuleReader, Rules
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, text_at
from analyzer.formats.record.fields import dict_of, int_or_none, json_or_none, list_of, text_of
from analyzer.formats.record.records import sample_of
from analyzer.model.session import Session, ToolCall
from analyzer.model.words import Mark
from analyzer.text.late import late

_QUERY = late(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_ITEMS, _ROWS = "ItemTable", "cursorDiskKV"
_COMPOSER, _BUBBLE = "composerData:", "bubbleId:"
_LISTS = {"composer.composerData": "allComposers", "workbench.panel.aichat.view.aichat.chatdata": "tabs"}
_ENDED, _GOING_ON = ("completed", "error", "cancelled", "rejected"), ("loading", "running", "pending", None)
_OUTPUTS = ("output", "contents", "content", "error")


class Cursor(Declared):
    """Reads a transcript and a store as one session, and a database as one session per conversation."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is a transcript, or a database with conversations."""
        if document.database is not None:
            # Of a list of conversations those that hold something count.
            held = any(bubbles for *_, bubbles in _conversations(document.database))
            return held or is_chat_store(document.database)
        sample = sample_of(document, 5)
        return bool(sample) and all(map(self.is_own, sample))

    def sessions(self, document: Document, log: FileLog) -> Iterable[Session]:
        """The conversations."""
        if document.database is None:
            return super().sessions(document, log)
        if is_chat_store(document.database):
            return [read_chat_store(document.database, document.stem)]
        return (self._conversation(*found) for found in _conversations(document.database))

    def _conversation(self, name: str, about: dict[str, Any], bubbles: Iterable[object]) -> Session:
        reader = _Reader(Session(name, agent=self.agent), self.rules)
        reader.apply("composer", Row(name, about))
        for number, bubble in enumerate(bubbles):
            held = {"@gone": True} if bubble is None else dict_of(bubble)
            reader.apply("bubble", Row(f"{name}, bubble {number}", held))
        return reader.closed()


def _conversations(database: Database) -> Iterator[tuple[str, dict[str, Any], Iterable[object]]]:
    """Yield every conversation, as the database lists them."""
    if database.has(_ROWS, "key", "value"):
        for row in database.beginning(_ROWS, "key", _COMPOSER):
            composer, name = dict_of(_held(row)), str(row["key"]).removeprefix(_COMPOSER)
            yield (name, composer, _bubbles(database, name, composer))
    if database.has(_ITEMS, "key", "value"):
        for item in _listed(database):
            name = string_at(item, ("composerId", "tabId")) or "conversation"
            yield (name, item, list_of(item.get("conversation") or item.get("bubbles")))


def _listed(database: Database) -> Iterator[dict[str, Any]]:
    for key, inside in _LISTS.items():
        for row in database.rows(_ITEMS, key=key):
            yield from map(dict_of, list_of(dict_of(_held(row)).get(inside)))


def _bubbles(database: Database, name: str, composer: dict[str, Any]) -> Iterator[object]:
    """The bubbles of a conversation in the order in which it lists them; None for one that isn't there."""
    yield from list_of(composer.get("conversation"))
    for header in map(dict_of, list_of(composer.get("fullConversationHeadersOnly"))):
        rows = database.rows(_ROWS, key=f"{_BUBBLE}{name}:{header.get('bubbleId')}")
        yield next(map(_held, rows), None)


def _held(row: dict[str, Any]) -> Any:
    return json_or_none(text_of(row["value"]))


class _Reader(RuleReader):
    def __init__(self, session: Session, rules: Rules) -> None:
        super().__init__(session, rules)
        self._unanswered: list[ToolCall] = []

    def user(self, row: Row) -> None:
        """What the user said is in a tag of its own, where the editor put something around it."""
        text = text_at(row, "text")
        found = _QUERY.search(text)
        self.note(_QUERY.sub("", text).strip() if found else "")
        self.heard(found[1] if found else text)

    def asked_for(self, _row: Row) -> None:
        number, call = self.numbered("call "), self.last_call
        call.id, call.batch = call.id or number, f"answer {self.answers}"
        self._unanswered.append(call)

    def told(self, row: Row) -> None:
        """A result is that of the call that it names, else of the first call without one."""
        named, waiting = string_at(row, "tool_use_id"), self._unanswered
        call = next((one for one in waiting if one.id == named), waiting[0] if waiting else None)
        if call is not None:
            waiting.remove(call)
        self.result(call.id if call is not None else named, text_at(row, "content"), row.value.get("is_error"))

    def answered(self, row: Row) -> None:
        """Take in the tool that an answer called, whose ids may be used again."""
        self.answers += 1
        tool, place, time = dict_of(row.value.get("toolFormerData")), row.place, self.time
        if not tool:
            return
        call_id, status = self.numbered(f"{string_at(tool, 'toolCallId') or 'call'} #"), string_at(tool, "status")
        self.call(place, call_id, tool.get("name"), tool.get("rawArgs") or tool.get("params"), time)
        if status not in _ENDED and (status is not None or "result" not in tool):
            if status not in _GOING_ON:
                self.log.add(place, f"unknown status of a tool {str(status)[:60]!r}; its result isn't read")
            return
        raw = tool.get("result") if tool.get("result") not in (None, "") else tool.get("error")
        inner = dict_of(json_or_none(raw) if isinstance(raw, str) else raw)
        text = next((inner[key] for key in _OUTPUTS if isinstance(inner.get(key), str)), text_of(raw))
        result = self.result(call_id, text, status == "error" or None, time)
        result.exit_code = int_or_none(inner.get("exitCode"))
        rejected = "rejected" in (status, tool.get("userDecision"))
        result.mark = Mark.DENIED if rejected else Mark.INTERRUPTED if status == "cancelled" else None


FORMAT = declared(__file__, _Reader, Cursor)
