"""The events of OpenHands V0 as one session.

An event is an action or an observation; an observation names the action that caused it. Older files hold the bare
actions and observations without ids, sources and times: these pair by order.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from analyzer.formats.loading.interface import words_of
from analyzer.formats.loading.mapping.values import value_at
from analyzer.formats.openhands.reader import OpenHandsReader, answer_of, answers_of, take_verdict, total_of, wanted_of
from analyzer.formats.record.fields import dict_of, int_or_none, str_or_none, text_of
from analyzer.formats.record.usage import together
from analyzer.model.session import Compaction, Session, Tokens, ToolCall, Usage
from analyzer.model.words import Ending, Mark

_WORDS = words_of(__file__)
_TOOLS = frozenset(_WORDS["tools"])
_SILENT = frozenset({"null", "agent_state_changed"})
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
        self.last: str | None = None
        self.open: list[ToolCall] = []

    def event(self, event: dict[str, Any], place: str) -> None:
        """Take in one event; one of which nothing is read, although it may say something, is remarked on."""
        before, time = len(self.session.events), self.clock(event.get("timestamp"))
        if metrics := dict_of(event.get("llm_metrics")):
            self.metrics = metrics
            self.rose(total_of(metrics))
        action, observation, source = event.get("action"), event.get("observation"), event.get("source")
        unread = "neither an action nor an observation"
        if isinstance(action, str):
            # In a bare record of older files the arguments are what isn't the record's own.
            bare = {key: value for key, value in event.items() if key not in _RAW_RECORD}
            args = event["args"] if isinstance(event.get("args"), dict) else bare
            self._action(action, event, args, time)
            by = f" of {str(source)[:60]!r}" if source not in (None, "agent") else ""
            unread = "" if action in _WORDS["silent_actions"] else f"unknown action {action[:60]!r}{by}"
            if action in ("message", "system"):
                unread = "" if "content" in args else f"{action!r} without a text"
        elif isinstance(observation, str):
            self._observation(observation, event, time)
            said = observation not in _SILENT_OBSERVATIONS and text_of(event.get("content")).strip()
            unread = f"{observation[:60]!r} that answers no action" if said else ""
        if unread and len(self.session.events) == before:
            self.log.add(place, f"{unread}; skipped")

    def _action(self, action: str, event: dict[str, Any], args: dict[str, Any], time: float | None) -> None:
        call_data, source, text = event.get("tool_call_metadata"), event.get("source"), text_of(args.get("content"))
        answer = dict_of(dict_of(call_data).get("model_response"))
        self.session.model = self.session.model or str_or_none(answer.get("model"))
        if action == "system":
            self.note(text, time, role="system")
        elif action == "message" and (source == "user" or (source is None and self.session.task is None)):
            self.heard(text, time)
        elif action == "message":
            self.answers += bool(text.strip())
            self.say(text, time)
        elif action == "condensation":
            self.session.events.append(Compaction(time))
        elif source in (None, "agent") and (action in _TOOLS or dict_of(call_data)):
            response = str_or_none(answer.get("id"))
            self.answered(response)
            if response and (used := answer_of(answer)) is not None:
                self.shares[response] = used
            if action != "think":
                self.say(text_of(args.get("thought")).strip(), time)
            ident = str(event["id"]) if isinstance(event.get("id"), int | str) else None
            call = ToolCall(ident, action, _call_arguments(action, args), time, batch=response)
            call.task_done = action in _WORDS["ends"]
            self.last = action
            self.session.events.append(call)
            self.open.append(call)

    def _observation(self, observation: str, event: dict[str, Any], time: float | None) -> None:
        extras = dict_of(event.get("extras")) or event
        if observation == "agent_state_changed":
            self.state = str_or_none(extras.get("agent_state")) or self.state
            self.reason = str_or_none(extras.get("reason"))
        if observation in _SILENT:
            return
        text, cause = text_of(event.get("content")).replace("\r\n", "\n"), event.get("cause")
        ident = str(cause) if isinstance(cause, int | str) else None
        call = next((call for call in reversed(self.open) if call.id == ident), None)
        if call is None:
            # The agent's malformed call is recorded only by the error message about it.
            self.note(text if observation == "error" else "", time)
            return
        self.open.remove(call)
        late = "[The command timed out after" in text_of(value_at(extras, "metadata.suffix")).strip() + text[-500:]
        result = self.came(call.id, text, extras, time, late=late)
        unended = int_or_none(value_at(extras, ("metadata.exit_code", "exit_code"))) == -1
        if observation == "error" or extras.get("error") is True or (event.get("success") is False and not unended):
            result.is_error = True
        result.mark = Mark.DENIED if observation == "user_rejected" else result.mark

    def use(self, metrics: dict[str, Any]) -> None:
        """Fill in the totals, and the calls' shares of them: from totals that rose with the events, else by answer."""
        session, total = self.session, total_of(metrics)
        session.tokens, session.cost_usd = total.tokens, total.cost_usd
        answers = {} if self.rising is not None else self.shares | answers_of(metrics)
        self.give(answers)
        if answers and session.tokens == Tokens() and session.cost_usd is None:
            used = reduce(together, answers.values(), Usage(Tokens()))
            session.tokens, session.cost_usd = used.tokens, used.cost_usd

    def end(self, record: dict[str, Any]) -> None:
        """Fill in how the session ended, as its last state and an evaluation's record say."""
        session, last = self.session, self.last
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


def _call_arguments(action: str, args: dict[str, Any]) -> dict[str, Any]:
    """What the agent asked for, without the defaults that the harness fills in."""
    by_editor = action in {"edit", "read"} and args.get("impl_source") == _EDITOR
    kept = wanted_of(args, _HARNESS_ARGUMENTS | _EDITOR_DEFAULTS if by_editor else _HARNESS_ARGUMENTS)
    return kept | {"thought": args["thought"]} if action == "think" and "thought" in args else kept
