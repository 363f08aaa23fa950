"""Event streams of opencode: what a plugin hears, and what `opencode run --format json` prints.

A plugin's line is a list of a hook's name and what it was given; a printed line is one part.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import words_of
from analyzer.formats.opencode.store import Store
from analyzer.formats.record.fields import dict_of, json_or_none, str_or_none
from analyzer.formats.record.warnings import WarningLog

_HOOKS = (b'["event"', b'["tool.definition"', b'["chat.')
_OTHER_HOOKS = frozenset({"tool.definition", "chat.message", "chat.params", "chat.headers", "permission.ask"})
_OTHER_HOOK_STARTS = ("experimental.", "tool.execute.", "command.", "shell.")
_SILENT = frozenset(words_of(__file__)["silent_events"])
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


def take_events(document: Document, store: Store, log: WarningLog) -> None:
    """Take in the stream: a plugin's hooks, printed parts, and what ended the last message of a session."""
    lines = document.text.rstrip("\n").split("\n")
    for number, text in enumerate(lines, 1):
        value, place = json_or_none(text), f"line {number}"
        if isinstance(value, list) and value and isinstance(value[0], str):
            _hook(place, value, store, log)
        elif isinstance(value, dict) and _is_printed(value):
            store.part(dict_of(value["part"]) | {"sessionID": value["sessionID"]})
        elif isinstance(value, dict) and value.get("type") == "error" and "sessionID" in value:
            _error(store.session(str(value["sessionID"])), value.get("error"))
        elif value is None and text.strip():
            cut = number == len(lines)
            log.add(place, f"{'the file ends in the middle of this record' if cut else 'not JSON'}; skipped")
        elif text.strip():
            log.add(place, "no event of opencode; skipped")


def _hook(place: str, value: list[Any], store: Store, log: WarningLog) -> None:
    name = str(value[0])
    if name == "event":
        _event(place, dict_of(dict_of(value[1] if len(value) > 1 else None).get("event")), store, log)
    elif name not in _OTHER_HOOKS and not name.startswith(_OTHER_HOOK_STARTS):
        log.add(place, f"unknown hook {name[:60]!r}; skipped")


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
    elif str(kind) not in _SILENT:
        log.add(place, f"unknown event {str(kind)[:60]!r}; skipped")


def _error(session: dict[str, Any], error: object) -> None:
    if session["messages"] and isinstance(error, dict):
        session["messages"][-1]["info"].setdefault("error", error)
