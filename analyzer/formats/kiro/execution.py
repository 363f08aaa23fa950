"""What Kiro's editor did for one request: a list of actions, or in other versions the messages with their entries."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.clock import take_time
from analyzer.formats.record.fields import (
    arguments_of,
    dict_of,
    float_or_none,
    int_or_none,
    list_of,
    parse_time,
    str_or_none,
    text_of,
)
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.model.words import Ending, Mark

_SAYS, _THINKS, _FAILS = "say", "reasoning", "displayError"
_DONE, _FAILED = ("success", "accepted", "succeed"), ("error", "failed", "failure")
_STOPPED, _REFUSED = ("canceled", "cancelled", "aborted", "useraborted"), ("rejected", "denied")
_TEXTS = ("output", "response", "message", "text", "content", "error", "errorMessage")
_ENDINGS = {
    "aborted": (Ending.CANCELLED, "The execution was aborted."),
    "user-aborted": (Ending.CANCELLED, "The user aborted the execution."),
    "failed": (Ending.CRASHED, "The execution failed."),
    "error": (Ending.CRASHED, "The execution failed."),
}


def is_execution(value: object) -> bool:
    """Whether the value is the record of one execution."""
    record = dict_of(value)
    return str_or_none(record.get("executionId")) is not None and (
        isinstance(record.get("actions"), list) or bool(_messages(record))
    )


def requests_of(record: dict[str, Any]) -> list[str]:
    """What the user had said up to this execution."""
    given = list_of(dict_of(dict_of(record.get("input")).get("data")).get("messages"))
    return [text_of(one.get("content")) for one in map(dict_of, given) if one.get("role") in ("user", "human")]


def _messages(record: dict[str, Any]) -> list[Any]:
    inner = dict_of(dict_of(record.get("input")).get("data"))
    context = record.get("context")
    return list_of(dict_of(context).get("messages")) or list_of(inner.get("messagesFromExecutionId"))


class ExecutionReader:
    """Fills a session with executions, one after another."""

    def __init__(self, session: Session, warning_log: WarningLog) -> None:
        self.answers = 0
        self._session = session
        self._log = warning_log
        self._heard: set[str] = set()

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one execution."""
        session = self._session
        for key in ("startTime", "endTime"):
            take_time(session, record.get(key))
        data = dict_of(dict_of(record.get("input")).get("data"))
        session.model = str_or_none(data.get("modelId")) or session.model
        actions = record.get("actions")
        if isinstance(actions, list) and actions:
            for number, action in enumerate(actions, 1):
                self._action(f"{place}, action {number}", action)
        else:
            for number, message in enumerate(_messages(record), 1):
                self._message(f"{place}, message {number}", message)
        status = str_or_none(record.get("status"))
        session.recorded_status = status or session.recorded_status
        session.ending, session.ending_detail = _ENDINGS.get(status or "", (None, None))

    def _action(self, place: str, value: object) -> None:
        action = dict_of(value)
        kind, given, out = str_or_none(action.get("actionType")), action.get("input"), action.get("output")
        time = take_time(self._session, action.get("emittedAt"))
        if kind is None:
            self._log.add(place, "action without a type; skipped")
        elif kind in (_SAYS, _THINKS) and out is not None:
            self.answers += kind == _SAYS
            self._session.say(Message("assistant", _text(out), time, thought=kind == _THINKS))
        elif kind == _FAILS:
            self._session.say(Message("harness", text_of(action.get("errorMessage")) or _text(out), time))
        elif isinstance(given, dict | str) and given:
            self._call(action, kind, given, out, time)
        elif out not in (None, "", {}):
            self._log.add(place, f"action {kind[:60]!r} with an output and no input; skipped")

    def _call(self, action: dict[str, Any], kind: str, given: Any, out: object, time: float | None) -> None:
        about = dict_of(given)
        name, arguments = kind, arguments_of(given)
        if tool := str_or_none(about.get("toolName")):
            name, arguments = tool, arguments_of(about.get("toolArgs"))
        call_id = str_or_none(action.get("actionId"))
        self._session.events.append(ToolCall(call_id, name, arguments, time))
        state = (str_or_none(action.get("actionState")) or "").lower()
        if out is None and state not in (*_FAILED, *_STOPPED, *_REFUSED):
            return
        ended, began = parse_time(action.get("endTime")), parse_time(action.get("emittedAt"))
        result = ToolResult(call_id, _text(out) or text_of(action.get("errorMessage")), time=ended or time)
        result.exit_code = int_or_none(dict_of(out).get("exitCode"))
        if ended is not None and began is not None and ended >= began:
            result.duration = float_or_none(ended - began)
        if state in _FAILED:
            result.is_error = True
        elif state in _DONE and result.exit_code is None:
            result.is_error = False
        result.mark = Mark.INTERRUPTED if state in _STOPPED else Mark.DENIED if state in _REFUSED else None
        self._session.events.append(result)

    def _message(self, place: str, value: object) -> None:
        message = dict_of(value)
        role = message.get("role")
        if role not in ("human", "user", "bot", "assistant", "tool"):
            self._log.add(place, f"message of an unknown role {str(role)[:60]!r}; skipped")
            return
        entries = message.get("entries")
        if not isinstance(entries, list):
            entries = [{"type": "text", "text": message.get("content")}]
        said = False
        for entry in map(dict_of, entries):
            said = self._entry(place, str(role), entry) or said
        self.answers += said and role in ("bot", "assistant")

    def _entry(self, place: str, role: str, entry: dict[str, Any]) -> bool:
        """Take in one entry; whether it's new. The messages of an execution repeat those of the ones before it."""
        kind, call_id = entry.get("type"), str_or_none(entry.get("id")) or str_or_none(entry.get("toolUseId"))
        key = f"{role} {kind} {call_id or text_of(entry.get('text'))}"
        if key in self._heard and kind != "text":
            return False
        if kind == "text":
            text = text_of(entry.get("text"))
            if role in ("human", "user") or key in self._heard:
                return False  # The user's words are in the request; others' were said before.
            self._session.say(Message("assistant" if role in ("bot", "assistant") else "harness", text))
        elif kind == "toolUse":
            name = str_or_none(entry.get("name"))
            if name is None:
                self._log.add(place, NAMELESS_CALL)
            self._session.events.append(ToolCall(call_id, name or "unknown", arguments_of(entry.get("args"))))
        elif kind == "toolUseResponse":
            flag = entry.get("success")
            failed = not flag if isinstance(flag, bool) else None
            self._session.events.append(ToolResult(call_id, _text(entry), failed))
        elif kind not in ("image", "imageUrl", "mention", "document"):
            self._log.add(place, f"unknown entry {str(kind)[:60]!r}; skipped")
            return False
        self._heard.add(key)
        return True


def _text(value: object) -> str:
    """The text of an output, which has it under one of several keys."""
    if isinstance(value, dict):
        found = next((value[key] for key in _TEXTS if value.get(key) not in (None, "")), None)
        return text_of(found) if found is not None else ""
    return text_of(value)
