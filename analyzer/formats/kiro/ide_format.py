"""Kiro's editor: a session's history, and the executions that did the work.

The history of a session holds what the user said; of what the agent did it only names the executions, each a file of
its own with a list of actions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, end_of, words_of
from analyzer.formats.record.fields import (
    dict_of,
    float_or_none,
    int_or_none,
    list_of,
    parse_time,
    str_or_none,
    text_of,
)
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import ReadWarning, Session
from analyzer.model.words import Mark

_SAYS, _THINKS, _FAILS = "say", "reasoning", "displayError"
_DONE, _FAILED = ("success", "accepted", "succeed"), ("error", "failed", "failure")
_STOPPED, _REFUSED = ("canceled", "cancelled", "aborted", "useraborted"), ("rejected", "denied")
_TEXTS = ("output", "response", "message", "text", "content", "error", "errorMessage")
_ENDINGS = words_of(__file__)["endings"]
_AGENT = "Kiro"
_OWN_KEYS = frozenset({"autonomyMode", "sessionType", "contextUsagePercentage"})
"""Keys of a session, besides those that it has in common with the extension from which the editor grew."""
_ON_IT = "On it."
"""What the history has in the place of an answer."""


class KiroIde(SessionsFormat):
    """Reads a session with its executions, or an execution alone, as one session."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is an execution, or a history that names executions."""
        if document.bundle is not None:
            return any(_is_history(value) for _, value in _members(document, []))
        return _is_execution(document.value) or _is_history(document.value)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session."""
        reader = _Reader(Session(document.stem, agent=_AGENT))
        values = {"the execution": dict_of(document.value)}
        if document.bundle is not None:
            values = dict(_members(document, log.damage))
        history: dict[str, Any] = next(filter(_is_history, values.values()), {})
        executions = {
            str(value["executionId"]): (name, value) for name, value in values.items() if _is_execution(value)
        }
        if history:
            _history(reader, history, executions)
        elif executions:
            _alone(reader, executions)
        reader.close()
        yield reader.session


FORMAT = described(__file__, KiroIde)

Executions = dict[str, tuple[str, dict[str, Any]]]


def _members(document: Document, warnings: list[ReadWarning]) -> Iterator[tuple[str, dict[str, Any]]]:
    assert document.bundle is not None
    for name in document.bundle.names[:200]:
        if not name.endswith(".json") and "." in name.rpartition("/")[2]:
            continue
        value = document.member_value(name, warnings)
        if isinstance(value, dict):
            yield name, value


def _is_history(value: object) -> bool:
    entries = dict_of(value).get("history")
    if not isinstance(entries, list) or "sessionId" not in dict_of(value):
        return False
    if not _OWN_KEYS.isdisjoint(dict_of(value)) and any("message" in dict_of(entry) for entry in entries):
        return True
    return any("executionId" in dict_of(entry) and "message" in dict_of(entry) for entry in entries)


def _history(reader: _Reader, value: dict[str, Any], executions: Executions) -> None:
    session = reader.session
    session.id = str_or_none(value.get("sessionId")) or session.id
    session.title, session.model = str_or_none(value.get("title")), str_or_none(value.get("selectedModel"))
    reader.place(value, workspaceDirectory="working directory")
    for number, entry in enumerate(map(dict_of, list_of(value.get("history"))), 1):
        place, message = f"entry {number}", dict_of(entry.get("message"))
        text, role, run = text_of(message.get("content")), message.get("role"), str_or_none(entry.get("executionId"))
        if role == "user":
            reader.heard(text)
        elif role == "assistant":
            if run in executions:
                name, record = executions.pop(str(run))
                reader.take(name, record)
            elif run is not None:
                reader.log.add(place, "what the agent did is in a file that isn't here")
            if text.strip() != _ON_IT:
                reader.answers += bool(text.strip())
                reader.say(text)
        else:
            reader.unknown(place, "role", role)
    for name, record in executions.values():
        reader.take(name, record)


def _alone(reader: _Reader, executions: Executions) -> None:
    for ident, (name, record) in executions.items():
        reader.session.id = ident
        reader.place(record, chatSessionId="part of session")
        given = list_of(dict_of(dict_of(record.get("input")).get("data")).get("messages"))
        asked = [text_of(one.get("content")) for one in map(dict_of, given) if one.get("role") in ("user", "human")]
        for text in asked[-1:]:
            reader.heard(text)
        reader.take(name, record)


def _is_execution(value: object) -> bool:
    record = dict_of(value)
    return str_or_none(record.get("executionId")) is not None and isinstance(record.get("actions"), list)


class _Reader(RecordReader):
    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one execution."""
        session = self.session
        for key in ("startTime", "endTime"):
            self.clock(record.get(key))
        data = dict_of(dict_of(record.get("input")).get("data"))
        session.model = str_or_none(data.get("modelId")) or session.model
        for number, action in enumerate(list_of(record.get("actions")), 1):
            self._action(f"{place}, action {number}", action)
        status = str_or_none(record.get("status"))
        session.recorded_status = status or session.recorded_status
        session.ending, session.ending_detail = end_of(_ENDINGS, status)

    def _action(self, place: str, value: object) -> None:
        action = dict_of(value)
        kind, given, out = str_or_none(action.get("actionType")), action.get("input"), action.get("output")
        time = self.clock(action.get("emittedAt"))
        if kind is None:
            self.log.add(place, "action without a type; skipped")
        elif kind in (_SAYS, _THINKS) and out is not None:
            self.answers += kind == _SAYS
            self.say(_text(out), time, thought=kind == _THINKS)
        elif kind == _FAILS:
            self.note(text_of(action.get("errorMessage")) or _text(out), time)
        elif isinstance(given, dict | str) and given:
            self._acted(action, kind, given, out, time)
        elif out not in (None, "", {}):
            self.log.add(place, f"action {kind[:60]!r} with an output and no input; skipped")

    def _acted(self, action: dict[str, Any], kind: str, given: Any, out: object, time: float | None) -> None:
        about = dict_of(given)
        named = str_or_none(about.get("toolName"))
        call_id = action.get("actionId")
        self.call("", call_id, named or kind, about.get("toolArgs") if named else given, time)
        state = (str_or_none(action.get("actionState")) or "").lower()
        if out is None and state not in (*_FAILED, *_STOPPED, *_REFUSED):
            return
        ended, began = parse_time(action.get("endTime")), parse_time(action.get("emittedAt"))
        result = self.result(call_id, _text(out) or text_of(action.get("errorMessage")), time=ended or time)
        result.exit_code = int_or_none(dict_of(out).get("exitCode"))
        if ended is not None and began is not None and ended >= began:
            result.duration = float_or_none(ended - began)
        if state in _FAILED:
            result.is_error = True
        elif state in _DONE and result.exit_code is None:
            result.is_error = False
        result.mark = Mark.INTERRUPTED if state in _STOPPED else Mark.DENIED if state in _REFUSED else None


def _text(value: object) -> str:
    """The text of an output, which has it under one of several keys."""
    if isinstance(value, dict):
        found = next((value[key] for key in _TEXTS if value.get(key) not in (None, "")), None)
        return text_of(found) if found is not None else ""
    return text_of(value)
