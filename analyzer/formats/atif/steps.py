"""The steps of an ATIF trajectory as events.

Some agents write their calls into the text of a step (terminus as JSON with `commands`, OpenHands without function
calling as `<function=...>`) and record only what came back. Such a text is read as the call that it is.

What `convert --to atif` puts under a key of its own into the `extra` of trajectories, calls and results is read back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from analyzer.formats.loading.interface import words_of
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import (
    arguments_of,
    dict_of,
    first_int,
    float_or_none,
    int_or_none,
    is_naive,
    list_of,
    parse_time,
    str_or_none,
    text_of,
)
from analyzer.formats.record.own_form import expected_of, usage_of_other_models
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.spoken_calls import keystrokes_in, said_beside, spoken_calls
from analyzer.formats.record.token_counts import CACHE_WRITTEN, kept_for_hour
from analyzer.formats.record.usage import cost_or_none, together
from analyzer.formats.record.warnings import NAMELESS_CALL, forms
from analyzer.model.session import Compaction, Message, Role, Session, Tokens, ToolCall, ToolResult, Usage
from analyzer.model.words import MAIN_LANE, Ending, Mark
from analyzer.text.late import late
from analyzer.text.names import name_set

_OF_AGENT = frozenset({"tool_calls", "reasoning_content", "model_name", "metrics", "llm_call_count"})
_SUMMARISED = late(r"\bcontext (?:summari[sz]ation|compaction)\b|\bcompacted the context\b", re.IGNORECASE)
_ENDS = name_set("finish submit done mark_task_complete task_complete attempt_completion complete_task")
_STEP = forms(words_of(__file__)["forms"])["step"]
"""What the objects of a trajectory hold, as far as the format says."""


def is_step(value: object) -> bool:
    """Whether the value is a step of a trajectory."""
    return isinstance(value, dict) and ("source" in value or isinstance(value.get("message"), dict))


def source_of(step: dict[str, Any]) -> str | None:
    """Return who a step is by; one dialect says so inside its message."""
    source = string_at(step, ("source", "message.role"))
    return "agent" if source == "assistant" else source


class Steps(RecordReader):
    """Turns the steps of one lane into events, in order."""

    def __init__(self, whole: RecordReader, lane: str) -> None:
        super().__init__(whole.session)
        self.log, self.meter = whole.log, whole.meter
        self.task: str | None = None
        self.spent = Usage(Tokens())
        self._lane = lane
        self._copied = False
        self._ids: set[str] = set()

    def step(self, place: str, step: dict[str, Any]) -> list[dict[str, Any]]:
        """Read one step and return its references to trajectories of sub-agents."""
        source, message = source_of(step), step.get("message")
        inner = message if isinstance(message, dict) and "content" in message else {}
        text = text_of(inner.get("content") if inner else message)
        if source == "user" and self.task is None:
            self.task = text if text.strip() else None
        if step.get("is_copied_context") is True:
            self._copied = self._copied or self.answers > 0
            return []
        time = self.clock(step.get("timestamp") or inner.get("timestamp"))
        if self._copied:
            self._copied = False
            self._compacted(time)
        results = list(map(dict_of, list_of(value_at(step, "observation.results"))))
        _STEP.check(place, step, self.log)
        references = [dict_of(one) for result in results for one in list_of(result.get("subagent_trajectory_ref"))]
        if source == "agent" or (source not in ("user", "system") and not _OF_AGENT.isdisjoint(step)):
            self._agent_step(place, step, text, results, time)
            return references
        if source == "user":
            self.users += self._lane == MAIN_LANE
            self._say("user" if self._lane == MAIN_LANE else "harness", text, time)
        elif source == "system":
            self._say("harness" if self.answers else "system", text, time)
            managed, trigger = (string_at(step, f"extra.context_management.{key}") for key in ("type", "trigger"))
            if managed == "compaction" or (managed is None and self.answers and _SUMMARISED.search(text)):
                self._compacted(time, trigger)
        else:
            self.log.add(place, f"unknown source {str(source)[:60]!r}, kept as the harness's words")
            self._say("harness", text, time)
        for result in results:
            self._say("harness", text_of(result.get("content")), time)
        return references

    def _compacted(self, time: float | None, trigger: str | None = None) -> None:
        last = next((event for event in reversed(self.session.events) if event.lane == self._lane), None)
        if not isinstance(last, Compaction):
            self.session.events.append(Compaction(time, self._lane, trigger=trigger))

    def _say(self, role: Role, text: str, time: float | None, *, thought: bool = False) -> None:
        self.session.say(Message(role, text.strip(), time, self._lane, thought))

    def _agent_step(self, place: str, step: dict[str, Any], text: str, results: list[Any], time: float | None) -> None:
        self.answers += 1
        if self._lane == MAIN_LANE:
            self.session.model = self.session.model or string_at(step, "model_name")
        used = usage_in(dict_of(step.get("metrics")))
        self.meter.spent(used.tokens, used.cost_usd, lane=self._lane)
        self.spent = together(self.spent, used)
        self._say("assistant", text_of(step.get("reasoning_content")), time, thought=True)
        calls = self._calls(place, step, time)
        if not calls:
            said, calls = _in_text(text, answered=any("content" in result for result in results))
            self._say("assistant", said, time)
            for call in calls:
                call.time = time
        elif text.strip() not in {f"Executed {call.name} {call.id}" for call in calls}:  # what a converter puts there
            self._say("assistant", text, time)
        given: dict[str | None, str] = {}
        for number, call in enumerate(calls, start=1):
            call.model, call.task_done = string_at(step, "model_name"), call.task_done or call.name in _ENDS
            call.lane, call.batch = self._lane, place
            # Results are in the step of their calls, so an id that an earlier step used is no obstacle.
            own = call.id if call.id and call.id not in self._ids else f"{place}, call {number}"
            call.id = given.setdefault(call.id, own) if call.id else own
        self._ids.update(given.values())
        self.session.events += calls
        if not calls:
            for result in results:
                self._say("harness", text_of(result.get("content")), time)
            return
        for index, result in enumerate(results):
            # One output of a terminal shows what several commands did.
            alone = calls[index if len(results) == len(calls) else -1].id
            call_id, more = string_at(result, "source_call_id"), dict_of(result.get("extra"))
            if "content" in result or call_id is not None:
                said, back = text_of(result.get("content")), parse_time(result.get("timestamp"))
                came = self.result(given.get(call_id) or alone, said, _failed(result, step), back, self._lane)
                came.exit_code = first_int(more, "exit_code", "returncode")
                take_result(came, ours(result))

    def _calls(self, place: str, step: dict[str, Any], time: float | None) -> list[ToolCall]:
        calls: list[ToolCall] = []
        for call in (call for call in list_of(step.get("tool_calls")) if isinstance(call, dict)):
            name, call_id = string_at(call, ("function_name", "name")), string_at(call, ("tool_call_id", "id"))
            if name is None:
                self.log.add(place, NAMELESS_CALL)
            sent = parse_time(call.get("timestamp")) or time
            calls.append(ToolCall(call_id, name or "unknown", arguments_of(call.get("arguments")), sent))
            take_call(calls[-1], ours(call))
        return calls


def usage_in(metrics: dict[str, Any], prefix: str = "") -> Usage:
    """Return what metrics count, each under a key with this prefix."""
    kinds = ("prompt", "completion", "cached")
    sent, received, cached = (int_or_none(metrics.get(f"{prefix}{kind}_tokens")) for kind in kinds)
    more = dict_of(metrics.get("extra"))
    tokens = Tokens(sent, received, cached, int_or_none(more.get(CACHE_WRITTEN)), kept_for_hour(more))
    return Usage(tokens, cost_or_none(metrics.get(f"{prefix}cost_usd")))


def _failed(result: dict[str, Any], step: dict[str, Any]) -> bool | None:
    """Return the error flag, which agents put beside what the format defines."""
    of_tool = "extra.tool_result_is_error"
    flags = (value_at(result, ("extra.is_error", of_tool)), value_at(step, of_tool))
    broken = True if value_at(result, "extra.status") in ("error", "failed", "failure") else None
    return next((flag for flag in flags if isinstance(flag, bool)), broken)


def _in_text(text: str, *, answered: bool) -> tuple[str, list[ToolCall]]:
    """Return what was said and the calls that the text itself holds; without an answer only those of a text that can be
    nothing else."""
    if (reply := keystrokes_in(text)) is not None and reply.name == "wait":
        return reply.said, [ToolCall(None, "wait", {})] if answered else []
    spoken = list(spoken_calls(text))
    calls = [call for call in spoken if not call.fenced]
    if not calls and answered and len(spoken) == 1:
        calls = spoken
    if not calls:
        return text, []
    said = reply.said if reply is not None else said_beside(text, fenced=calls[0].fenced)
    named = ((("bash" if call.fenced else call.name), call) for call in calls)
    return said, [ToolCall(None, name, call.arguments, task_done=call.done) for name, call in named]


OURS = "analyze_session"
"""The key in an `extra` under which stands what the format has no field for."""


def ours(holder: dict[str, Any]) -> dict[str, Any]:
    """Return what stands under our key in the `extra` of a trajectory, call or result."""
    return dict_of(dict_of(holder.get("extra")).get(OURS))


def take_header(session: Session, facts: dict[str, Any]) -> None:
    """Take in the session's task, times, counts and end."""
    counts = dict_of(facts.get("messages"))
    session.user_messages, session.assistant_messages = (int_or_none(counts.get(one)) for one in ("user", "assistant"))
    for key in ("task", "title", "ending_detail", "broke"):
        setattr(session, key, str_or_none(facts.get(key)))
    session.recorded_status = str_or_none(facts.get("status"))
    session.cost_is_partial = facts.get("cost_is_partial") is True
    session.started_at, session.ended_at = parse_time(facts.get("started_at")), parse_time(facts.get("ended_at"))
    session.naive_clock = session.naive_clock or is_naive(facts.get("started_at")) or is_naive(facts.get("ended_at"))
    recorded = dict_of(facts.get("environment"))
    session.environment = {key: value for key, value in recorded.items() if isinstance(value, str)}
    session.ending = next((word for word in Ending if word == facts.get("ending")), None)
    session.expected = expected_of(facts.get("expected"))
    session.beside = usage_of_other_models(facts.get("beside"))


def take_call(call: ToolCall, facts: dict[str, Any]) -> None:
    """Take in when a call was sent, its file, whether it hands in the work, and that its arguments are one free
    text."""
    call.time = parse_time(facts.get("started_at")) or call.time
    call.path = str_or_none(facts.get("path"))
    for key in ("task_done", "harness", "asks_agent"):
        setattr(call, key, facts.get(key) is True)
    given = call.arguments.get("input") if isinstance(call.arguments, Mapping) else None
    if facts.get("free_text") is True and isinstance(given, str):
        call.arguments = given


def take_result(result: ToolResult, facts: dict[str, Any]) -> None:
    """Take in what is known about a result beyond its text."""
    result.mark = next((word for word in Mark if word == facts.get("mark")), None)
    result.error_type = str_or_none(facts.get("error_type"))
    result.duration = float_or_none(facts.get("duration_seconds"))
    result.score = float_or_none(facts.get("score"))
