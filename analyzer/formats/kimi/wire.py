"""The wire of Kimi CLI: an event per line, with its time, its type and its payload."""

from __future__ import annotations

from typing import Any

from analyzer.formats.kimi.recorder import Recorder, parts_of
from analyzer.formats.record.fields import arguments_of, dict_of, str_or_none, text_of
from analyzer.formats.record.warnings import OBJECT, TEXT, WORDS, Form
from analyzer.model.session import Compaction, Message, Session, ToolCall
from analyzer.model.words import MAIN_LANE, Ending, Mark
from analyzer.text.names import name_set

_SILENT = name_set(
    """
    TurnEnd CompactionEnd HookTriggered MCPLoadingBegin MCPLoadingEnd PlanDisplay ToolCallRequest QuestionRequest
    QuestionResponse StepRetry
    """
)
_TURN = name_set("TurnBegin SteerInput StepBegin ContentPart ToolCall ToolResult StatusUpdate TurnEnd SubagentEvent")
_LINE = Form("an event", {"message": OBJECT}, {}, frozenset({"timestamp", "type", "protocol_version"}))
_PAYLOADS = {
    "TurnBegin": Form("a turn", {"user_input": WORDS}),
    "SteerInput": Form("what the user said", {"user_input": WORDS}),
    "ToolCall": Form("a tool call", {"function": OBJECT}),
    "ToolResult": Form("a result", {"return_value": OBJECT}),
    "SubagentEvent": Form("a sub-agent's event", {"event": OBJECT}),
}
_FUNCTION = Form("a tool call's function", {"arguments": (dict, str)})
_RETURNED = Form("a returned value", {}, {"output": (str, list, dict), "message": TEXT})
_USAGE = ("input_other", "output", "input_cache_read", "input_cache_creation")


def is_event(value: object) -> bool:
    """Whether a record has the form of an event of the wire."""
    line = dict_of(value)
    message = dict_of(line.get("message"))
    return "timestamp" in line and isinstance(message.get("type"), str) and isinstance(message.get("payload"), dict)


def is_known_event(value: object) -> bool:
    """Whether a record is an event of the wire with which a turn begins or goes on."""
    return is_event(value) and str(dict_of(dict_of(value).get("message")).get("type")) in _TURN


class Wire(Recorder):
    """Goes through the events once."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._asked: dict[str, str | None] = {}
        self._denied: set[str | None] = set()

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one line."""
        time = self.clock(record.get("timestamp"))
        if record.get("type") != "metadata":
            _LINE.check(place, record, self.log)
        self._event(place, dict_of(record.get("message")), time, MAIN_LANE)

    def _event(self, place: str, message: dict[str, Any], time: float | None, lane: str) -> None:
        kind, about = str(message.get("type")), dict_of(message.get("payload"))
        session = self.session
        self._check(place, kind, message, about)
        if kind in ("TurnBegin", "SteerInput"):
            self.user(about.get("user_input"), time, injected=lane != MAIN_LANE)
        elif kind == "StepBegin":
            self.answer()
        elif kind in ("ContentPart", "TextPart", "ThinkPart"):
            self.part(place, about, time, lane)
        elif kind == "ToolCall":
            function = dict_of(about.get("function"))
            name, given = function.get("name"), function.get("arguments")
            self.call(place, about.get("id"), name, given, time, lane, self.batch)
        elif kind == "ToolCallPart":
            self._continued(text_of(about.get("arguments_part")))
        elif kind == "ToolResult":
            self._result(about, time, lane)
        elif kind == "StatusUpdate":
            self.spent(dict_of(about.get("token_usage")), *_USAGE, lane=lane)
        elif kind == "CompactionBegin":
            session.events.append(Compaction(time, lane))
        elif kind == "StepInterrupted":
            session.ending, session.ending_detail = Ending.CANCELLED, "the step was interrupted"
        elif kind == "SubagentEvent":
            name = str_or_none(about.get("agent_id")) or str_or_none(about.get("parent_tool_call_id"))
            self._event(place, dict_of(about.get("event")), time, f"agent-{(name or 'unknown')[:12]}")
        elif kind == "ApprovalRequest":
            self._asked[str(about.get("id"))] = str_or_none(about.get("tool_call_id"))
        elif kind in ("ApprovalResponse", "ApprovalRequestResolved"):
            if about.get("response") == "reject":
                self._denied.add(self._asked.get(str(about.get("request_id"))))
        elif kind in ("HookResolved", "Notification"):
            said = str_or_none(about.get("reason")) or str_or_none(about.get("body")) or ""
            session.say(Message("harness", said, time, lane))
        elif kind not in _SILENT:
            self.log.add(place, f"unknown event {kind[:60]!r}; skipped")

    def _check(self, place: str, kind: str, message: dict[str, Any], about: dict[str, Any]) -> None:
        log, form = self.log, _PAYLOADS.get(kind)
        if form is None:
            return
        if not isinstance(message.get("payload"), dict):
            log.add(place, f"event {kind!r} without a payload")
            return
        form.check(place, about, log)
        if kind == "ToolCall":
            _FUNCTION.check(place, dict_of(about.get("function")), log)
        elif kind == "ToolResult":
            _RETURNED.check(place, dict_of(about.get("return_value")), log)
            if "output" not in dict_of(about.get("return_value")) and "message" not in dict_of(
                about.get("return_value")
            ):
                log.add(place, "a returned value without 'output'")

    def _continued(self, more: str) -> None:
        """Add a piece to the arguments of the last call, where they were sent in pieces."""
        call = next((event for event in reversed(self.session.events) if isinstance(event, ToolCall)), None)
        if call is not None and isinstance(call.arguments, str):
            call.arguments = arguments_of(call.arguments + more)

    def _result(self, about: dict[str, Any], time: float | None, lane: str) -> None:
        value = dict_of(about.get("return_value"))
        message, output = str_or_none(value.get("message")), value.get("output")
        texts = [*([f"<system>{message}</system>"] if message else []), *parts_of(output)]
        result = self.answered(about.get("tool_call_id"), texts, value.get("is_error"), time, lane)
        if result.call_id in self._denied and result.call_id is not None:
            result.mark = Mark.DENIED
        if result.exit_code is not None and result.is_error is False:
            result.is_error = None
