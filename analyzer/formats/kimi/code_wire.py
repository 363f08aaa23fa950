"""The records of Kimi Code, the later program: dotted types, in which the events of the loop lie."""

from __future__ import annotations

from typing import Any

from analyzer.formats.kimi.wire import Recorder
from analyzer.formats.record.fields import dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.records import take_time
from analyzer.formats.record.warnings import LIST, OBJECT, TEXT, Form
from analyzer.model.session import Compaction, Message
from analyzer.model.words import MAIN_LANE, Ending
from analyzer.text.names import name_set

_LOOP, _MESSAGE = "context.append_loop_event", "context.append_message"
_SILENT = name_set(
    """
    metadata tools.set_active_tools turn.prompt turn.steer turn.ended llm.tools_snapshot usage.record plan_mode.enter
    plan_mode.exit permission.record_approval_result permission.set_mode full_compaction.begin full_compaction.complete
    profile.bind plugin.session_start runtime.set_binding token_counting.measured token_counting.turn_recorded
    """
)
_RECORDS = {_LOOP: Form("a record", {"event": OBJECT}), _MESSAGE: Form("a record", {"message": OBJECT})}
_SAID = Form("a message", {"content": LIST})
_SAID_PART = Form("a part", {"text": TEXT})
_EVENTS = {
    "content.part": Form("an event", {"part": OBJECT}),
    "tool.call": Form("a tool call", {"args": (dict, str)}),
    "tool.result": Form("a result", {"result": OBJECT}),
}
_RESULT = Form("a result", {}, {"output": (str, list, dict), "note": (str, list)}, frozenset({"isError", "truncated"}))
_USAGE = ("inputOther", "output", "inputCacheRead", "inputCacheCreation")


def is_code_record(value: object) -> bool:
    """Whether a record is one of Kimi Code's."""
    record = dict_of(value)
    return record.get("type") in (_LOOP, _MESSAGE, "turn.prompt") and "time" in record


def take_record(recorder: Recorder, place: str, record: dict[str, Any]) -> None:
    """Take in one line."""
    session, kind = recorder.session, str(record.get("type"))
    time = take_time(session, record.get("time"), record.get("created_at"))
    agent = str_or_none(record.get("agentId"))
    lane = MAIN_LANE if agent in (None, "main") else f"agent-{str(agent)[:12]}"
    if kind in _RECORDS:
        _RECORDS[kind].check(place, record, recorder.log)
    if kind == _LOOP:
        _loop_event(recorder, place, dict_of(record.get("event")), time, lane)
    elif kind == _MESSAGE:
        message = dict_of(record.get("message"))
        origin = dict_of(message.get("origin")).get("kind")
        _SAID.check(place, message, recorder.log)
        for part in map(dict_of, list_of(message.get("content"))):
            if part.get("type") == "text":
                _SAID_PART.check(place, part, recorder.log)
        content = [part.get("text") for part in map(dict_of, list_of(message.get("content"))) if "text" in part]
        if message.get("role") == "user":
            recorder.user(content, time, injected=origin not in (None, "user") or lane != MAIN_LANE)
        else:
            session.say(Message("harness", "\n".join(map(text_of, content)), time, lane))
    elif kind in ("config.update", "llm.request"):
        session.model = str_or_none(record.get("model")) or str_or_none(record.get("modelAlias")) or session.model
        if folder := str_or_none(record.get("cwd")):
            session.environment.setdefault("working directory", folder)
    elif kind == "context.apply_compaction":
        session.events.append(Compaction(time, lane))
    elif kind == "turn.cancel":
        session.ending, session.ending_detail = Ending.CANCELLED, "the user stopped the agent"
    elif kind not in _SILENT:
        recorder.log.add(place, f"unknown type of record {kind[:60]!r}; skipped")


def _loop_event(recorder: Recorder, place: str, event: dict[str, Any], time: float | None, lane: str) -> None:
    kind = event.get("type")
    if isinstance(kind, str) and kind in _EVENTS:
        _EVENTS[kind].check(place, event, recorder.log)
    if kind == "step.begin":
        recorder.answer()
    elif kind == "content.part":
        recorder.part(place, event.get("part"), time, lane)
    elif kind == "tool.call":
        recorder.call(place, event.get("toolCallId"), event.get("name"), event.get("args"), time, lane, recorder.batch)
    elif kind == "tool.result":
        result = dict_of(event.get("result"))
        _RESULT.check(place, result, recorder.log)
        texts = [text_of(result.get("output")), text_of(result.get("note"))]
        failed = result.get("isError") is True
        recorder.answered(event.get("toolCallId"), texts, True if failed else None, time, lane)
    elif kind == "step.end":
        recorder.session.recorded_status = str_or_none(event.get("finishReason"))
        recorder.spent(dict_of(event.get("usage")), *_USAGE, lane=lane)
    else:
        recorder.log.add(place, f"unknown event {str(kind)[:60]!r}; skipped")
