"""Conversations in the editor's database, which has grown three shapes.

Newer ones are rows of their own, each answer and each tool call a `bubble` in a row beside them; older ones are one
list under one key, and before that tabs. An answer that calls a tool is a bubble without words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.record.fields import dict_of, int_or_none, json_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import take_time
from analyzer.model.session import Session, Tokens, ToolResult
from analyzer.model.words import Mark

_ITEMS, _ROWS = "ItemTable", "cursorDiskKV"
_COMPOSER, _BUBBLE = "composerData:", "bubbleId:"
_LISTS = {"composer.composerData": "allComposers", "workbench.panel.aichat.view.aichat.chatdata": "tabs"}
_ENDED = frozenset({"completed", "error", "cancelled", "rejected"})
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
            composer = dict_of(json_or_none(text_of(row["value"])))
            name = str(row["key"]).removeprefix(_COMPOSER)
            yield _session(name, composer, _bubbles(database, name, composer))
    if database.has(_ITEMS, "key", "value"):
        for item in _listed(database):
            name = str_or_none(item.get("composerId")) or str_or_none(item.get("tabId")) or "conversation"
            yield _session(name, item, list_of(item.get("conversation") or item.get("bubbles")))


def _listed(database: Database) -> Iterator[dict[str, Any]]:
    for key, inside in _LISTS.items():
        for row in database.rows(_ITEMS, key=key):
            yield from map(dict_of, list_of(dict_of(json_or_none(text_of(row["value"]))).get(inside)))


def _bubbles(database: Database, name: str, composer: dict[str, Any]) -> Iterator[object]:
    """The bubbles of a conversation in the order in which it lists them; None for one that isn't there."""
    yield from list_of(composer.get("conversation"))
    for header in map(dict_of, list_of(composer.get("fullConversationHeadersOnly"))):
        rows = database.rows(_ROWS, key=f"{_BUBBLE}{name}:{header.get('bubbleId')}")
        yield next((json_or_none(text_of(row["value"])) for row in rows), None)


def _session(name: str, about: dict[str, Any], bubbles: Iterable[object]) -> Session:
    session = Session(name, agent="Cursor")
    session.title = str_or_none(about.get("name")) or str_or_none(about.get("chatTitle"))
    session.model = str_or_none(dict_of(about.get("modelConfig")).get("modelName"))
    session.recorded_status = str_or_none(about.get("status"))
    for key in ("createdAt", "lastUpdatedAt", "lastSendTime"):
        take_time(session, about.get(key))
    reader = _Reader(session)
    for number, bubble in enumerate(bubbles):
        reader.bubble(f"{name}, bubble {number}", bubble)
    reader.close()
    return session


class _Reader(RecordReader):
    def bubble(self, place: str, value: object) -> None:
        """Take in one bubble."""
        bubble = dict_of(value)
        if value is None:
            self.log.add(place, "a message that the conversation lists isn't in the database; left out")
            return
        session, text = self.session, text_of(bubble.get("text"))
        time = take_time(session, bubble.get("createdAt"), bubble.get("timestamp"))
        self.place(bubble, workspaceProjectDir="working directory")
        if bubble.get("type") in (1, "user"):
            self.heard(text, time)
        elif bubble.get("type") in (2, "ai"):
            self._answer(place, bubble, text, time)
        else:
            self.log.add(place, "bubble of neither the user nor the agent; skipped")

    def _answer(self, place: str, bubble: dict[str, Any], text: str, time: float | None) -> None:
        session = self.session
        self.answers += 1
        model = str_or_none(dict_of(bubble.get("modelInfo")).get("modelName")) or str_or_none(bubble.get("modelType"))
        session.model = model or session.model
        count = dict_of(bubble.get("tokenCount"))
        self.meter.spent(Tokens(int_or_none(count.get("inputTokens")), int_or_none(count.get("outputTokens"))))
        self.say(text_of(dict_of(bubble.get("thinking")).get("text")), time, thought=True)
        self.say(text, time)
        if tool := dict_of(bubble.get("toolFormerData")):
            self._tool(place, tool, time)

    def _tool(self, place: str, tool: dict[str, Any], time: float | None) -> None:
        call_id = self.numbered(f"{str_or_none(tool.get('toolCallId')) or 'call'} #")
        self.call(place, call_id, tool.get("name"), tool.get("rawArgs") or tool.get("params"), time)
        status = str_or_none(tool.get("status"))
        if status in _ENDED or (status is None and "result" in tool):
            self.session.events.append(_result(call_id, tool, status, time))
        elif status not in ("loading", "running", "pending", None):
            self.log.add(place, f"unknown status of a tool {status[:60]!r}; its result isn't read")


def _result(call_id: str, tool: dict[str, Any], status: str | None, time: float | None) -> ToolResult:
    raw = tool.get("result") if tool.get("result") not in (None, "") else tool.get("error")
    value = json_or_none(raw) if isinstance(raw, str) else raw
    inner = dict_of(value)
    text = next((inner[key] for key in _OUTPUTS if isinstance(inner.get(key), str)), None)
    result = ToolResult(call_id, text if text is not None else text_of(raw), time=time)
    result.is_error = True if status == "error" else None
    result.exit_code = int_or_none(inner.get("exitCode"))
    if status == "rejected" or tool.get("userDecision") == "rejected":
        result.mark = Mark.DENIED
    elif status == "cancelled":
        result.mark = Mark.INTERRUPTED
    return result
