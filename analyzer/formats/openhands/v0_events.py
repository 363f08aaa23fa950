"""The events of OpenHands V0 as one session.

An event is an action or an observation; an observation names the action that caused it. Older files hold the bare
actions and observations without ids, sources and times: these pair by order.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from analyzer.formats.loading.interface import words_of
from analyzer.formats.openhands.reader import (
    OpenHandsReader,
    answer_of,
    answers_of,
    give,
    take_verdict,
    total_of,
    wanted_of,
)
from analyzer.formats.record.fields import dict_of, int_or_none, str_or_none, text_of
from analyzer.formats.record.usage import together
from analyzer.model.session import Compaction, Session, Tokens, ToolCall, ToolResult, Usage
from analyzer.model.words import Ending, Mark

_WORDS = words_of(__file__)
_TOOLS = frozenset(_WORDS["tools"])
_ENDS = frozenset({"finish", "reject"})
_UNENDED = -1
"""The exit code of a command that hasn't ended."""
_SILENT = frozenset({"null", "agent_state_changed"})
_KNOWN = frozenset({"message", "system"})
_SILENT_ACTIONS = frozenset({"change_agent_state", "null", "recall", "condensation_request"})
_SILENT_OBSERVATIONS = _SILENT | {"recall"}
"""Actions and observations that hold nothing of what was said or done."""
_HARNESS_ARGUMENTS = frozenset(_WORDS["harness_arguments"])
"""What the harness adds to the arguments of an action; it says nothing about what the agent wanted."""
_RAW_RECORD = frozenset(_WORDS["raw_record"])
_EDITOR = "oh_aci"
_EDITOR_DEFAULTS = frozenset({"start", "end", "content"})


class Reader(OpenHandsReader):
    """Goes through one session's events once."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.metrics: dict[str, Any] = {}
        self.state: str | None = None
        self.reason: str | None = None
        self.last_call: ToolCall | None = None
        self.open: list[ToolCall] = []

    def event(self, event: dict[str, Any], place: str) -> None:
        """Take in one event; one of which nothing is read, although it may say something, is remarked on."""
        before = len(self.session.events)
        time = self.clock(event.get("timestamp"))
        if metrics := dict_of(event.get("llm_metrics")):
            self.metrics = metrics
            self.rising.take(total_of(metrics))
        action, observation = event.get("action"), event.get("observation")
        if isinstance(action, str):
            self._action(action, event, time)
        elif isinstance(observation, str):
            self._observation(observation, event, time)
        if len(self.session.events) > before:
            return
        # Nothing was read of it; its kind may be known to hold nothing for a reader.
        if isinstance(action, str):
            said = text_of(_arguments_in(event).get("content")).strip()
            if action in _KNOWN and not said and "content" not in _arguments_in(event):
                self.log.add(place, f"{action!r} without a text; skipped")
            elif action not in _KNOWN | _SILENT_ACTIONS:
                source = event.get("source")
                by = f" of {str(source)[:60]!r}" if source not in (None, "agent") else ""
                self.log.add(place, f"unknown action {action[:60]!r}{by}; skipped")
        elif isinstance(observation, str):
            if observation not in _SILENT_OBSERVATIONS and text_of(event.get("content")).strip():
                self.log.add(place, f"{observation[:60]!r} that answers no action; skipped")
        else:
            self.log.add(place, "neither an action nor an observation; skipped")

    def _action(self, action: str, event: dict[str, Any], time: float | None) -> None:
        args = _arguments_in(event)
        call_data = dict_of(event.get("tool_call_metadata"))
        answer = dict_of(call_data.get("model_response"))
        self.session.model = self.session.model or str_or_none(answer.get("model"))
        source = event.get("source")
        if action in _KNOWN:
            self._message(action, source, text_of(args.get("content")), time)
        elif action == "condensation":
            self.session.events.append(Compaction(time))
        elif source in (None, "agent") and (action in _TOOLS or call_data):
            self._tool(action, event, args, answer, time)

    def _message(self, action: str, source: object, text: str, time: float | None) -> None:
        if not text.strip():
            return
        if action == "system":
            self.note(text, time, role="system")
        elif source == "user" or (source is None and self.session.task is None):
            self.heard(text, time)
        else:
            self.answers += 1
            self.say(text, time)

    def _tool(
        self, action: str, event: dict[str, Any], args: dict[str, Any], answer: dict[str, Any], time: float | None
    ) -> None:
        response = str_or_none(answer.get("id"))
        self.answered(response)
        if response and (used := answer_of(answer)) is not None:
            self.shares[response] = used
        if action != "think":
            self.say(text_of(args.get("thought")).strip(), time)
        identity = str(event["id"]) if isinstance(event.get("id"), int | str) else None
        call = ToolCall(
            identity, action, _call_arguments(action, args), time, batch=response, task_done=action in _ENDS
        )
        self.session.events.append(call)
        self.last_call = call
        self.open.append(call)

    def _observation(self, observation: str, event: dict[str, Any], time: float | None) -> None:
        extras = dict_of(event.get("extras")) or event
        if observation == "agent_state_changed":
            self.state = str_or_none(extras.get("agent_state")) or self.state
            self.reason = str_or_none(extras.get("reason"))
        if observation in _SILENT:
            return
        text = text_of(event.get("content")).replace("\r\n", "\n")
        cause = event.get("cause")
        call = self._caller(cause if isinstance(cause, int | str) else None)
        if call is None:
            # The agent's malformed call is recorded only by the error message about it.
            if observation == "error":
                self.note(text, time)
            return
        metadata = dict_of(extras.get("metadata"))
        code = int_or_none(metadata.get("exit_code", extras.get("exit_code")))
        suffix = text_of(metadata.get("suffix")).strip()
        timed_out = "[The command timed out after" in suffix + text[-500:]
        if code == _UNENDED and not timed_out and suffix not in text:
            text = f"{text}\n{suffix}".lstrip("\n")
        result = ToolResult(call.id, text, exit_code=None if code == _UNENDED else code, time=time)
        failed = extras.get("error") is True or (event.get("success") is False and code != _UNENDED)
        if observation == "error" or failed:
            result.is_error = True
        if observation == "user_rejected":
            result.mark = Mark.DENIED
        elif timed_out:
            result.mark = Mark.TIMEOUT
        self.place(metadata, working_dir="working directory")
        self.session.events.append(result)

    def _caller(self, cause: int | str | None) -> ToolCall | None:
        if cause is None:
            unnamed = [call for call in self.open if call.id is None]
            call = unnamed[-1] if unnamed else None
        else:
            call = next((call for call in reversed(self.open) if call.id == str(cause)), None)
        if call:
            self.open.remove(call)
        return call

    def use(self, metrics: dict[str, Any]) -> None:
        """Fill in the totals, and the calls' shares of them: from totals that rose with the events, else by answer."""
        session, total = self.session, total_of(metrics)
        session.tokens, session.cost_usd = total.tokens, total.cost_usd
        if self.rising.seen:
            self.meter.settle()
        else:
            answers = self.shares | answers_of(metrics)
            give(session.calls(), answers)
            if session.tokens == Tokens() and session.cost_usd is None:
                used = reduce(together, answers.values(), Usage(Tokens()))
                session.tokens, session.cost_usd = used.tokens, used.cost_usd

    def end(self, record: dict[str, Any]) -> None:
        """Fill in how the session ended, as its last state and an evaluation's record say."""
        session, last = self.session, self.last_call.name if self.last_call is not None else None
        session.recorded_status = self.state
        if self.state == "error":
            session.ending = Ending.CRASHED
        elif last == "finish" or (self.state == "finished" and last != "reject"):
            session.ending = Ending.SUBMITTED
        elif last == "reject":
            session.ending_detail = "the agent rejected the task"
        elif self.state == "stopped":
            session.ending = Ending.CANCELLED
        take_verdict(session, record, self.reason if self.state in {"error", "stopped"} else None)


def _arguments_in(event: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of an event; in a bare record of older files, what isn't the record's own."""
    args = event.get("args")
    if isinstance(args, dict):
        return args
    return {key: value for key, value in event.items() if key not in _RAW_RECORD}


def _call_arguments(action: str, args: dict[str, Any]) -> dict[str, Any]:
    """Keep what the agent asked for, without the defaults that the harness fills in."""
    kept = wanted_of(args, _HARNESS_ARGUMENTS)
    if action == "think" and "thought" in args:
        kept["thought"] = args["thought"]
    if action in {"edit", "read"} and args.get("impl_source") == _EDITOR:
        kept = {key: value for key, value in kept.items() if key not in _EDITOR_DEFAULTS}
    return kept
