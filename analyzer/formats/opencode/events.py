"""Event streams of opencode: what a plugin hears, and what `opencode run --format json` prints.

A message and each of its parts are sent again whenever they change, so that the last of each counts. A plugin's line is
a list of a hook's name and what it was given; a printed line is one part.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.record.fields import dict_of, json_or_none, list_of, str_or_none
from analyzer.formats.record.warnings import WarningLog
from analyzer.text.names import name_set

_HOOKS = (b'["event"', b'["tool.definition"', b'["chat.')
_OTHER_HOOKS = frozenset({"tool.definition", "chat.message", "chat.params", "chat.headers", "permission.ask"})
_OTHER_HOOK_STARTS = ("experimental.", "tool.execute.", "command.", "shell.")
_SILENT = name_set(
    """
    message.part.delta session.status session.diff session.idle session.deleted server.connected server.heartbeat
    server.instance.disposed file.edited file.watcher.updated lsp.updated lsp.client.diagnostics todo.updated
    permission.asked permission.updated permission.replied question.asked question.replied question.rejected
    session.compacted command.executed installation.updated vcs.branch.updated project.updated
    """
)
_PRINTED = frozenset({"tool_use", "text", "reasoning", "step_start", "step_finish", "error"})


def is_event_stream(document: Document) -> bool:
    """Whether one of the first lines is such an event, or a printed part."""
    start = document.beginning(1 << 14)
    if start.lstrip()[:1] == b"[":
        return any(line.startswith(_HOOKS) for line in start.splitlines()[:20])
    return any(_is_printed(record.value) for record in document.head[:5])


def _is_printed(value: object) -> bool:
    line = dict_of(value)
    return str_or_none(line.get("type")) in _PRINTED and "sessionID" in line and isinstance(line.get("part"), dict)


def sessions_of_events(document: Document, warning_log: WarningLog) -> dict[str, dict[str, Any]]:
    """Every session of the stream, by id, as an object of {info, messages}."""
    collected = _Collected(warning_log)
    lines = document.text.rstrip("\n").split("\n")
    for number, text in enumerate(lines, 1):
        value, place = json_or_none(text), f"line {number}"
        if isinstance(value, list) and value and isinstance(value[0], str):
            collected.hook(place, value)
        elif isinstance(value, dict) and _is_printed(value):
            collected.printed(value)
        elif isinstance(value, dict) and value.get("type") == "error" and "sessionID" in value:
            collected.error(str(value["sessionID"]), value.get("error"))
        elif value is None and text.strip():
            cut = number == len(lines)
            warning_log.add(place, f"{'the file ends in the middle of this record' if cut else 'not JSON'}; skipped")
        elif text.strip():
            warning_log.add(place, "no event of opencode; skipped")
    return collected.sessions


class _Collected:
    def __init__(self, warning_log: WarningLog) -> None:
        self.sessions: dict[str, dict[str, Any]] = {}
        self._messages: dict[str, dict[str, Any]] = {}
        self._parts: dict[str, tuple[list[Any], int]] = {}
        self._warning_log = warning_log

    def hook(self, place: str, value: list[Any]) -> None:
        """Take in one line of a plugin."""
        name = str(value[0])
        if name == "event":
            self._event(place, dict_of(dict_of(value[1] if len(value) > 1 else None).get("event")))
        elif name not in _OTHER_HOOKS and not name.startswith(_OTHER_HOOK_STARTS):
            self._warning_log.add(place, f"unknown hook {name[:60]!r}; skipped")

    def printed(self, line: dict[str, Any]) -> None:
        """Take in one printed part."""
        self._part(dict_of(line["part"]) | {"sessionID": line["sessionID"]})

    def error(self, session: str, error: object) -> None:
        """Take in what ended the last message of a session."""
        messages = self._session(session)["messages"]
        if messages and isinstance(error, dict):
            messages[-1]["info"].setdefault("error", error)

    def _event(self, place: str, event: dict[str, Any]) -> None:
        kind, about = event.get("type"), dict_of(event.get("properties"))
        info = dict_of(about.get("info"))
        if kind in ("session.created", "session.updated"):
            self._session(info.get("id"))["info"] |= info
        elif kind == "message.updated":
            self._message(info.get("id"), info.get("sessionID"))["info"] |= info
        elif kind == "message.part.updated":
            self._part(dict_of(about.get("part")))
        elif kind == "message.part.removed":
            parts, at = self._parts.pop(str(about.get("partID")), ([], 0))
            if at < len(parts):
                parts[at] = {"type": "snapshot"}  # Places of the others stay as they are.
        elif kind == "message.removed":
            message = self._messages.pop(str(about.get("messageID")), None)
            messages = self._session(about.get("sessionID"))["messages"]
            if message in messages:
                messages.remove(message)
        elif kind == "session.error":
            self.error(str(about.get("sessionID")), about.get("error"))
        elif str(kind) not in _SILENT:
            self._warning_log.add(place, f"unknown event {str(kind)[:60]!r}; skipped")

    def _session(self, name: object) -> dict[str, Any]:
        return self.sessions.setdefault(str_or_none(name) or "session", {"info": {"id": name}, "messages": []})

    def _message(self, name: object, session: object) -> dict[str, Any]:
        key = str_or_none(name) or f"message of {session}"
        if key not in self._messages:
            self._messages[key] = {"info": {"role": "assistant", "sessionID": session}, "parts": []}
            list_of(self._session(session)["messages"]).append(self._messages[key])
        return self._messages[key]

    def _part(self, part: dict[str, Any]) -> None:
        key = str_or_none(part.get("id")) or f"part {len(self._parts)}"
        if key in self._parts:
            parts, at = self._parts[key]
            parts[at] = part
        else:
            parts = self._message(part.get("messageID"), part.get("sessionID"))["parts"]
            self._parts[key] = (parts, len(parts))
            parts.append(part)
