"""Conversations in the editor's database, which has grown three shapes.

Newer ones are rows of their own, each answer and each tool call a `bubble` in a row beside them; older ones are one
list under one key, and before that tabs. An answer that calls a tool is a bubble without words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.loading.mapping.values import string_at, text_at, value_at
from analyzer.formats.record.fields import dict_of, int_or_none, json_or_none, list_of, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import Session, Tokens
from analyzer.model.words import Mark

_ITEMS, _ROWS = "ItemTable", "cursorDiskKV"
_COMPOSER, _BUBBLE = "composerData:", "bubbleId:"
_LISTS = {"composer.composerData": "allComposers", "workbench.panel.aichat.view.aichat.chatdata": "tabs"}
_ENDED, _GOING_ON = ("completed", "error", "cancelled", "rejected"), ("loading", "running", "pending", None)
_OUTPUTS = ("output", "contents", "content", "error")


def has_conversations(database: Database) -> bool:
    """Whether the database holds conversations in one of their shapes."""
    if database.has(_ROWS, "key", "value") and any(map(bool, database.beginning(_ROWS, "key", _COMPOSER))):
        return True
    listed = _listed(database) if database.has(_ITEMS, "key", "value") else ()
    return any(list_of(item.get("conversation") or item.get("bubbles")) for item in listed)


def read_store(database: Database) -> Iterator[Session]:
    """Yield every conversation, as the database lists them."""
    if database.has(_ROWS, "key", "value"):
        for row in database.beginning(_ROWS, "key", _COMPOSER):
            composer, name = dict_of(_held(row)), str(row["key"]).removeprefix(_COMPOSER)
            yield _session(name, composer, _bubbles(database, name, composer))
    if database.has(_ITEMS, "key", "value"):
        for item in _listed(database):
            name = string_at(item, ("composerId", "tabId")) or "conversation"
            yield _session(name, item, list_of(item.get("conversation") or item.get("bubbles")))


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


def _session(name: str, about: dict[str, Any], bubbles: Iterable[object]) -> Session:
    reader = _Reader(Session(name, agent="Cursor", title=string_at(about, ("name", "chatTitle"))))
    reader.session.model = string_at(about, "modelConfig.modelName")
    reader.session.recorded_status = string_at(about, "status")
    for key in ("createdAt", "lastUpdatedAt", "lastSendTime"):
        reader.clock(about.get(key))
    for number, bubble in enumerate(bubbles):
        place = f"{name}, bubble {number}"
        if bubble is None:
            reader.log.add(place, "a message that the conversation lists isn't in the database; left out")
        else:
            reader.take(place, dict_of(bubble))
    reader.close()
    return reader.session


class _Reader(RecordReader):
    def take(self, place: str, record: dict[str, Any]) -> None:
        text, time = text_of(record.get("text")), self.clock(record.get("createdAt"), record.get("timestamp"))
        self.place(record, workspaceProjectDir="working directory")
        if record.get("type") in (1, "user"):
            self.heard(text, time)
        elif record.get("type") in (2, "ai"):
            self.answers += 1
            model = string_at(record, ("modelInfo.modelName", "modelType"))
            self.session.model = model or self.session.model
            counts = (int_or_none(value_at(record, f"tokenCount.{key}")) for key in ("inputTokens", "outputTokens"))
            self.meter.spent(Tokens(*counts))
            self.say(text_at(record, "thinking.text"), time, thought=True)
            self.say(text, time)
            if tool := dict_of(record.get("toolFormerData")):
                self._tool(place, tool, time)
        else:
            self.log.add(place, "bubble of neither the user nor the agent; skipped")

    def _tool(self, place: str, tool: dict[str, Any], time: float | None) -> None:
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
        if status == "rejected" or tool.get("userDecision") == "rejected":
            result.mark = Mark.DENIED
        elif status == "cancelled":
            result.mark = Mark.INTERRUPTED
