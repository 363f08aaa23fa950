"""Sessions of Kimi CLI and Kimi Code: the wire file, which has times and flags, or the context, which has neither."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.kimi.code_wire import is_code_record, take_record
from analyzer.formats.kimi.recorder import Recorder, parts_of
from analyzer.formats.kimi.wire import Wire, is_event, is_known_event
from analyzer.formats.record.fields import dict_of, list_of, text_of
from analyzer.formats.record.records import records_of, take_time
from analyzer.formats.record.sessions import FileLog, SessionsFormat
from analyzer.formats.record.warnings import GIVEN, LIST, OBJECT, WORDS, Form
from analyzer.model.session import Message, Session

_MESSAGE = Form("a message", {"content": WORDS}, {"tool_calls": LIST})
_ANSWER = Form("an answer", {}, {"content": WORDS, "tool_calls": LIST})
_CALL, _FUNCTION = Form("a tool call", {"function": OBJECT}), Form("a tool call's function", {"arguments": GIVEN})
_MARKS = ("_checkpoint", "_usage", "_system_prompt")


def is_mark(value: object) -> bool:
    """Whether a record is one of the marks that only this file has."""
    return dict_of(value).get("role") in _MARKS


def take_message(recorder: Recorder, place: str, message: dict[str, Any]) -> None:
    """Take in one line."""
    role, content, log = message.get("role"), message.get("content"), recorder.log
    if role in ("user", "tool", "system", "_system_prompt"):
        _MESSAGE.check(place, message, log)
    elif role == "assistant":
        (_ANSWER if message.get("tool_calls") else _MESSAGE).check(place, message, log)
    if role == "user":
        recorder.user(content)
    elif role == "assistant":
        recorder.answer()
        for part in parts_of(content):
            recorder.part(place, part)
        for call in map(dict_of, list_of(message.get("tool_calls"))):
            function = dict_of(call.get("function"))
            _CALL.check(place, call, log)
            _FUNCTION.check(place, function, log)
            name, given = function.get("name"), function.get("arguments")
            recorder.call(place, call.get("id"), name, given, batch=recorder.batch)
    elif role == "tool":
        recorder.answered(message.get("tool_call_id"), content, None)
    elif role in ("system", "_system_prompt"):
        recorder.session.say(Message("system", text_of(content)))
    elif role not in _MARKS:
        recorder.log.add(place, f"unknown role {str(role)[:60]!r}; skipped")


class Kimi(SessionsFormat):
    """Reads one session per file."""

    name = "kimi"
    title = "Kimi CLI, Kimi Code"
    versions = "contexts of October 2025; the wire of Kimi CLI as published, records of Kimi Code 1.4"
    not_recorded = ("cost", "whether the work was handed in as done", "times, model and tokens (contexts)")
    nothing = "session of Kimi"
    looked_at = 12

    def is_own(self, value: object) -> bool:
        """Whether a record has marks, events or types that only Kimi writes."""
        return is_mark(value) or is_known_event(value) or is_code_record(value)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session."""
        session = Session(document.stem, agent="Kimi CLI")
        recorder = Recorder(session)
        wire, known = Wire(recorder), False
        for record in records_of(document, log.damage):
            value = record.value
            if is_event(value):
                wire.take(record.place, value)
            elif "role" in value:
                take_message(recorder, record.place, value)
            elif isinstance(value.get("type"), str) and ("time" in value or value["type"] == "metadata"):
                session.agent = "Kimi Code" if is_code_record(value) else session.agent
                if value["type"] == "metadata":
                    take_time(session, value.get("created_at"))
                else:
                    take_record(recorder, record.place, value)
            else:
                recorder.log.add(record.place, "no record of Kimi; skipped")
            known = known or self.is_own(value)
        recorder.close()
        if known:
            yield session


FORMAT = Kimi()
"""The object that the registry lists."""
