"""Lists of actions as agents' own programs write them: records that each name a tool or an action, with what it was
given and what came back, where that is recorded.

It's a JSON list, JSON lines, or a list anywhere at the top of an object (`steps`, `history`, `intermediate_steps`).
Which key holds what is known by the usual words; what lies under other keys of the object is left out and named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, words_of
from analyzer.formats.record.chat_messages import Conversation, is_message
from analyzer.formats.record.fields import (
    arguments_of,
    dict_of,
    first_int,
    first_text,
    first_time,
    float_or_none,
    list_of,
    str_or_none,
    text_of,
)
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.model.struct import Struct
from analyzer.text.expressions import compiled

_WORDS = words_of(__file__)
_KEYS: dict[str, list[str]] = _WORDS["keys"]
"""The keys of the parts of a record, the likeliest first."""
_INNER_NAMES = ("tool", "name", "type", "action", "function")
_TASKS = ("task", "goal", "instruction", "question", "query", "prompt", "input")
_ANSWERS = ("answer", "final_answer", "output")
_STATUSES = {"error": True, "failed": True, "failure": True, "success": False, "succeeded": False, "ok": False}
_BESIDES = frozenset(_WORDS["besides"])
"""What else is in a record of a bare action."""
_KNOWN = _BESIDES.union(*_KEYS.values())
_OF_OTHER_FORMATS = frozenset(_WORDS["of_other_formats"])
"""Keys of objects and records that some other format has."""
_OF_TOOLS = compiled(r"tool|function|action", re.IGNORECASE)
_SORTS = ("event", "type", "kind")
_REPLY = compiled(r"result|response|output|observation|end|finish|complete|fail|error", re.IGNORECASE)
_SAMPLE = 20
_MOSTLY = 0.8
_FEWEST = 2


class _Entry(Struct):
    """An action as a record tells it: `result` is None where nothing came back."""

    name: str
    arguments: Mapping[str, Any] | str
    result: object
    record: Mapping[str, Any]
    failed: bool | None = None


class ActionList(SessionsFormat):
    """Records of actions, written by programs that have no format of their own."""

    def sniff(self, document: Document) -> bool:
        """Whether most records of a list name an action, in words that leave no doubt."""
        value = document.value if document.value is not MISSING else [record.value for record in document.head]
        return _place_of(value) is not None

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session of the list."""
        value = document.value
        if value is MISSING:
            records = [(record.place, record.value) for record in document.records(log.damage)]
            place, header = "", {}
        else:
            place, header = _place_of(value) or "", dict_of(value)
            listed = header.get(place) if header else value
            records = [(f"{place or 'record'} {number}", item) for number, item in enumerate(list_of(listed), 1)]
        session = Session(document.stem)
        _head(session, header, place, log)
        waiting: dict[str, str] = {}
        count = 0
        for where, item in records:
            entry = _entry(item)
            if entry is None:
                log.add(where, "a record that names no action; skipped")
                continue
            sort = " ".join(filter(None, (str_or_none(entry.record.get(key)) for key in _SORTS)))
            if entry.result is not None and _REPLY.search(sort) and entry.name in waiting:
                session.events.append(_result(waiting.pop(entry.name), entry))
                continue
            count += 1
            _tell(session, entry, f"action-{count}")
            if entry.result is None:
                waiting[entry.name] = f"action-{count}"
        session.say(Message("assistant", first_text(header, *_ANSWERS) or ""))
        times = [event.time for event in session.events if isinstance(event, ToolCall) and event.time is not None]
        session.started_at, session.ended_at = min(times, default=None), max(times, default=None)
        if count:
            yield session


def _place_of(value: object) -> str | None:
    """The key of the list of actions, empty for a value that is one itself; None where there is none."""
    if isinstance(value, list):
        return "" if _is_list(value) else None
    if not isinstance(value, dict) or not _OF_OTHER_FORMATS.isdisjoint(value):
        return None
    return next((key for key, inner in value.items() if isinstance(inner, list) and _is_list(inner)), None)


def _is_list(values: list[Any]) -> bool:
    sample = values[:_SAMPLE]
    if len(sample) < _FEWEST or any(not _OF_OTHER_FORMATS.isdisjoint(dict_of(item)) for item in sample):
        return False
    return sum(_entry(item) is not None for item in sample) >= _MOSTLY * len(sample)


def _entry(item: object) -> _Entry | None:
    if isinstance(item, list) and len(item) == 2 and isinstance(item[0], dict):
        inner = _entry(item[0])
        return _Entry(inner.name, inner.arguments, item[1], item[0]) if inner is not None else None
    if not isinstance(item, dict) or "description" in dict_of(item.get("function")) or "description" in item:
        return None  # a tool that there is, rather than a call of it
    named = next((key for key in _KEYS["names"] if _name_of(item.get(key)) is not None), None)
    if named is None:
        return _nameless(item)
    name = _name_of(item[named])
    assert name is not None
    given = next((key for key in _KEYS["arguments"] if key in item), None)
    result = next((key for key in (*_KEYS["results"], *_KEYS["errors"]) if item.get(key) is not None), None)
    if given is None and result is None and not item.keys() <= _KNOWN:
        return None
    if given is not None:
        arguments = arguments_of(item[given])
    elif isinstance(item[named], dict):
        inner = item[named]
        given = next((key for key in _KEYS["arguments"] if key in inner), None)
        naming = next(key for key in _INNER_NAMES if str_or_none(inner.get(key)))
        arguments = arguments_of(inner[given]) if given else {key: inner[key] for key in inner if key != naming}
    else:
        arguments = {key: item[key] for key in item if key in _BESIDES - {"id", "step", "index", "number", "type"}}
    return _Entry(name, arguments, item.get(result) if result else None, item, _failed(item, result))


def _nameless(item: dict[str, Any]) -> _Entry | None:
    """A record whose action lies one level deeper, or that is named like anything else but has arguments and a
    result."""
    inner = [value for value in item.values() if isinstance(value, dict)]
    if len(inner) == 1 and any(_name_of(inner[0].get(key)) is not None for key in _KEYS["names"]):
        found = _entry(inner[0])
        return found and _Entry(found.name, found.arguments, found.result, {**item, **inner[0]}, found.failed)
    given = next((key for key in _KEYS["arguments"] if key in item), None)
    result = next((key for key in _KEYS["results"] if key in item), None)
    name, sort = str_or_none(item.get("name")), str_or_none(item.get("type"))
    if name is None or given is None or result is None:
        return None
    if sort is not None and not _OF_TOOLS.search(sort):
        return None  # a step of the program around the agent, or a call of the model
    return _Entry(name, arguments_of(item[given]), item[result], item, _failed(item, result))


def _name_of(value: object) -> str | None:
    if isinstance(value, dict):
        return first_text(value, *_INNER_NAMES)
    return str_or_none(value) if isinstance(value, str) and "\n" not in value else None


def _failed(item: Mapping[str, Any], result: str | None) -> bool | None:
    if isinstance(success := item.get("success"), bool):
        return not success
    if isinstance(flag := item.get("is_error"), bool):
        return flag
    if result in _KEYS["errors"] and item.get(result):
        return True
    return _STATUSES.get(str(item.get("status")).lower())


def _head(session: Session, header: dict[str, Any], place: str, log: WarningLog) -> None:
    """What the object around the list says: the task, who acted, and messages."""
    talk = Conversation(Session(""))
    for key, value in header.items():
        if key != place and isinstance(value, list) and value:
            if all(map(is_message, value)):
                for number, message in enumerate(value, 1):
                    talk.take(f"{key} {number}", message)
            else:
                log.add(key, f"{len(value)} entries; not read")
    talk.close()
    session.warnings += talk.session.warnings
    session.task = first_text(header, *_TASKS) or talk.session.task
    session.agent, session.model = str_or_none(header.get("agent")), str_or_none(header.get("model"))
    session.recorded_status = str_or_none(header.get("status"))
    session.events += talk.session.events
    if session.task is not None and not talk.users:
        session.say(Message("user", session.task))
    session.user_messages = talk.users or int(session.task is not None)
    session.assistant_messages = talk.answers or None


def _tell(session: Session, entry: _Entry, ident: str) -> None:
    record = entry.record
    time = first_time(record, *_KEYS["times"])
    for key in _KEYS["thoughts"]:
        if (thought := str_or_none(record.get(key))) is not None:
            session.events.append(Message("assistant", thought, time, thought=True))
    session.events.append(ToolCall(ident, entry.name, entry.arguments, time))
    if entry.result is not None or entry.failed is not None or first_int(record, *_KEYS["codes"]) is not None:
        session.events.append(_result(ident, entry))


def _result(ident: str, entry: _Entry) -> ToolResult:
    result = ToolResult(ident, text_of(entry.result), entry.failed, first_int(entry.record, *_KEYS["codes"]))
    spans = (float_or_none(entry.record.get(key)) for key in _KEYS["durations"])
    result.duration = next((span for span in spans if span is not None), None)
    return result


FORMAT = described(__file__, ActionList)
