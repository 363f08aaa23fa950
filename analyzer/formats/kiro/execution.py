"""What Kiro's editor did for one request: a list of actions."""

from __future__ import annotations

from typing import Any

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
    return str_or_none(record.get("executionId")) is not None and isinstance(record.get("actions"), list)


def requests_of(record: dict[str, Any]) -> list[str]:
    """What the user had said up to this execution."""
    given = list_of(dict_of(dict_of(record.get("input")).get("data")).get("messages"))
    return [text_of(one.get("content")) for one in map(dict_of, given) if one.get("role") in ("user", "human")]


class ExecutionReader(RecordReader):
    """Fills a session with executions, one after another."""

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
        session.ending, session.ending_detail = _ENDINGS.get(status or "", (None, None))

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
