"""What Kimi's files have in common, and the wire of Kimi CLI: an event per line with its time, type and payload."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import arguments_of, dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.marks import mark_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.token_counts import cache_apart
from analyzer.formats.record.warnings import OBJECT, TEXT, WORDS, Form
from analyzer.model.session import Compaction, Message, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Ending, Mark
from analyzer.text.expressions import compiled
from analyzer.text.names import name_set

_SILENT_PARTS = frozenset({"image_url", "audio_url", "video_url"})
_TEXT_PART, _THOUGHT = Form("a part", {"text": TEXT}), Form("a thought", {"think": TEXT})
_EXIT = compiled(r"<system>(?:ERROR: )?Command failed with exit code: (-?\d{1,10})\.|<system>(Command executed succ)")
_ERROR = "<system>ERROR:"


class Recorder(RecordReader):
    """Fills a session while a file is gone through."""

    @property
    def batch(self) -> str:
        """What calls have in common that are asked for in one step."""
        return f"step {self.answers}"

    def user(self, content: object, time: float | None = None, *, injected: bool = False) -> None:
        """Take in what the user said, or what the harness put into the user's mouth."""
        text = "\n".join(filter(None, map(text_of, content))) if isinstance(content, list) else text_of(content)
        if injected:
            self.note(text, time)
        elif self.heard(text, time):
            self.session.ending = self.session.ending_detail = None

    def answer(self) -> None:
        """Note that the model answers."""
        self.answers += 1
        self.session.ending = self.session.ending_detail = None

    def part(self, place: str, part: object, time: float | None = None, lane: str = MAIN_LANE) -> None:
        """Take in a part of an answer."""
        block = {"type": "text", "text": part} if isinstance(part, str) else dict_of(part)
        kind = block.get("type")
        if kind == "text":
            _TEXT_PART.check(place, block, self.log)
            self.say(text_of(block.get("text")), time, lane)
        elif kind == "think":
            _THOUGHT.check(place, block, self.log)
            self.say(text_of(block.get("think")), time, lane, thought=True)
        else:
            self.unknown(place, "part", kind, _SILENT_PARTS)

    def answered(
        self, call_id: object, content: object, failed: object, time: float | None = None, lane: str = MAIN_LANE
    ) -> ToolResult:
        """Take in a result, whose own words about itself are in a tag at its beginning."""
        text = "\n".join(filter(None, map(text_of, content))) if isinstance(content, list) else text_of(content)
        result = self.result(call_id, text, failed, time, lane)
        if result.is_error is None and text.startswith(_ERROR):
            result.is_error = True
        if found := _EXIT.match(text):
            result.exit_code = int(found[1]) if found[1] else 0
        result.mark = mark_of(text) if result.is_error else None
        return result

    def spent(self, usage: dict[str, Any], *keys: str, lane: str = MAIN_LANE) -> None:
        """Take in what a call of the model used: the keys of other input, of output, and of what a cache read and
        took in."""
        tokens = cache_apart(usage, *keys)
        if tokens != Tokens():
            self.meter.spent(tokens, lane=lane)


def parts_of(content: object) -> list[Any]:
    """The parts of a content that is a text or a list."""
    return list_of(content) if isinstance(content, list) else [content] if isinstance(content, str) else []


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
