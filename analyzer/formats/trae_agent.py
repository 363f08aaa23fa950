"""Trajectories of Trae Agent: one object with the calls of the model and the agent's steps.

A step has the calls that the model asked for and their results; what the model used, and what it was asked first, is in
the calls of the model.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, parse_time, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.token_counts import of_claude
from analyzer.formats.record.warnings import GIVEN, LIST, OBJECT, TEXT, Form
from analyzer.model.session import Message, Role, Session, Tokens
from analyzer.model.words import Ending

_STEPS, _ANSWERS = ("agent_steps", "steps"), ("llm_interactions", "llm_interaction")
_STEP = Form("a step", {}, {"llm_response": OBJECT, "tool_calls": LIST, "tool_results": LIST, "state": TEXT})
_CALL = Form("a tool call", {"arguments": GIVEN}, {"name": TEXT, "call_id": TEXT})
_RESULT = Form("a result", {"call_id": TEXT}, {"success": (bool,), "result": (str, dict, list), "error": TEXT})
_FINISHES = "task_done"
_LIMIT = "exceeded maximum steps"


class TraeAgent(ObjectFormat):
    """Reads one trajectory as one session."""

    name = "trae-agent"
    title = "Trae Agent"
    versions = "trajectory files as published; one of the Rust port without calls"
    not_recorded = ("cost", "exit codes, unless the result has them", "whether the result is right")
    nothing = "trajectory of Trae Agent"

    def is_own(self, value: object) -> bool:
        """Whether an object has the agent's steps beside the calls of the model."""
        found = dict_of(value)
        answers = any(isinstance(found.get(key), list) for key in _ANSWERS)
        return answers and "task" in found and "provider" in found and ("max_steps" in found or "max_step" in found)

    def session(self, document: Document, value: dict[str, Any]) -> Session:
        """The session that a trajectory is."""
        reader = _Reader(Session(document.stem, agent=self.title))
        reader.header(value)
        for number, step in enumerate(_steps_of(value)):
            reader.step(f"step {number}", step)
        reader.finish(value)
        return reader.session


FORMAT = TraeAgent()
"""The object that the registry lists."""


def _steps_of(value: dict[str, Any]) -> list[Any]:
    """The steps; of a port of the program they're within the calls of the model."""
    steps = next((value[key] for key in _STEPS if isinstance(value.get(key), list)), None)
    if steps is not None:
        return list(steps)
    return [dict_of(one).get("steps") for one in _answers_of(value) if dict_of(one).get("steps") is not None]


def _answers_of(value: dict[str, Any]) -> list[Any]:
    return next((value[key] for key in _ANSWERS if isinstance(value.get(key), list)), [])


class _Reader(RecordReader):
    def header(self, value: dict[str, Any]) -> None:
        """What stands before the steps."""
        session = self.session
        session.model, session.task = str_or_none(value.get("model")), str_or_none(value.get("task"))
        session.started_at, session.ended_at = map(parse_time, (value.get("start_time"), value.get("end_time")))
        if provider := str_or_none(value.get("provider")):
            session.environment["provider"] = provider
        first = dict_of(next(iter(_answers_of(value)), None))
        asked = [dict_of(message) for message in list_of(first.get("input_messages"))]
        for message in asked:
            role = message.get("role")
            if role in ("system", "user"):
                session.say(Message("system" if role == "system" else "user", text_of(message.get("content"))))
        if not any(message.get("role") == "user" for message in asked):
            session.say(Message("user", session.task or ""))

    def step(self, place: str, step: object) -> None:
        """One step: what the model answers, its calls, their results, and what the agent notes on them."""
        if not isinstance(step, dict):
            self.log.wrong_type(place, step, "a step")
            return
        _STEP.check(place, step, self.log)
        time = self.clock(step.get("timestamp"))
        answer = dict_of(step.get("llm_response"))
        first = len(self.session.events)
        if answer:
            self.answers += 1
            failed = str(answer.get("finish_reason")).lower() == "error"
            role: Role = "harness" if failed else "assistant"
            self.session.say(Message(role, text_of(answer.get("content")), time, failed=failed))
        for call in list_of(step.get("tool_calls")) or list_of(answer.get("tool_calls")):
            self._call(place, call, time)
        if answer:
            self.meter.spent(self._used(dict_of(answer.get("usage"))), since=first)
        for result in list_of(step.get("tool_results")):
            self._result(place, result)
        for key in ("reflection", "error"):
            self.note(text_of(step.get(key)), time)

    def finish(self, value: dict[str, Any]) -> None:
        """What stands after the steps."""
        session = self.session
        final, success = text_of(value.get("final_result")), value.get("success")
        said = next((event.text for event in reversed(session.events) if isinstance(event, Message)), "")
        if final.strip() and final.strip() != said.strip():
            session.say(Message("assistant" if success is True else "harness", final))
        if success is True:
            # The agent's own word: it called the tool that ends the task.
            session.ending, session.recorded_status = Ending.SUBMITTED, "success"
        elif success is False and value.get("end_time"):
            limited = _LIMIT in final.lower()
            session.ending = Ending.LIMIT if limited else None
            session.recorded_status = "no success"
            session.ending_detail = final.strip() or None
        self.close()
        session.user_messages = None

    def _used(self, usage: dict[str, Any]) -> Tokens:
        """What an answer used. Only Anthropic's service counts what came from a cache apart from the input."""
        counts = of_claude(usage)
        if self.session.environment.get("provider") == "anthropic":
            return counts
        return Tokens(int_or_none(usage.get("input_tokens")), counts.output, counts.cached)

    def _call(self, place: str, call: object, time: float | None) -> None:
        record = dict_of(call)
        _CALL.check(place, record, self.log)
        call_id = str_or_none(record.get("call_id")) or str_or_none(record.get("id"))
        batch = f"answer-{self.answers}"
        made = self.call(place, call_id, record.get("name"), record.get("arguments"), time, batch=batch)
        made.task_done = made.name == _FINISHES

    def _result(self, place: str, result: object) -> None:
        record = dict_of(result)
        _RESULT.check(place, record, self.log)
        success, error = record.get("success"), text_of(record.get("error"))
        texts = [text for text in (text_of(record.get("result")), error) if text.strip()]
        call_id = str_or_none(record.get("call_id")) or str_or_none(record.get("id"))
        self.result(call_id, "\n".join(texts), not success if isinstance(success, bool) else None)
