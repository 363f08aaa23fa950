"""Sessions of Kimi CLI and Kimi Code: the wire file, which has times and flags, or the context, which has neither."""

from __future__ import annotations

from typing import Any

from analyzer.formats.kimi.code_wire import is_code_record, take_record
from analyzer.formats.kimi.wire import Recorder, Wire, is_event, is_known_event, parts_of
from analyzer.formats.record.fields import dict_of, list_of, text_of
from analyzer.formats.record.reader import RecordFormat
from analyzer.formats.record.warnings import GIVEN, LIST, OBJECT, WORDS, Form
from analyzer.model.session import Message

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


class _Reader(Wire):
    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one record, of whichever of Kimi's files."""
        if is_event(record):
            super().take(place, record)
        elif "role" in record:
            take_message(self, place, record)
        elif isinstance(record.get("type"), str) and ("time" in record or record["type"] == "metadata"):
            self.session.agent = "Kimi Code" if is_code_record(record) else self.session.agent
            if record["type"] == "metadata":
                self.clock(record.get("created_at"))
            else:
                take_record(self, place, record)
        else:
            self.log.add(place, "no record of Kimi; skipped")


class Kimi(RecordFormat):
    """Reads one session per file."""

    name = "kimi"
    title = "Kimi CLI, Kimi Code"
    versions = "contexts of October 2025; the wire of Kimi CLI as published, records of Kimi Code 1.4"
    not_recorded = ("cost", "whether the work was handed in as done", "times, model and tokens (contexts)")
    nothing = "session of Kimi"
    agent = "Kimi CLI"
    reader = _Reader
    looked_at = 12

    def is_own(self, value: object) -> bool:
        """Whether a record has marks, events or types that only Kimi writes."""
        return is_mark(value) or is_known_event(value) or is_code_record(value)


FORMAT = Kimi()
"""The object that the registry lists."""
