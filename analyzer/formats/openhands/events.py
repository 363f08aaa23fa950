"""The events of the OpenHands SDK (V1), wherever they're kept, as one session.

Every event names its `kind`. An observation names the action that it answers; an error of the agent's own call names
only the call's id.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import end_of, words_of
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.openhands.reader import OpenHandsReader, answers_of, ending_of, total_of, wanted_of
from analyzer.formats.record.fields import arguments_of, bool_or_none, dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.usage import together
from analyzer.model.session import Compaction, ReadWarning, Role, Session, Tokens, ToolCall, Usage
from analyzer.model.words import Ending, Mark

_OTHER_KINDS = frozenset({"Condensation", "CondensationRequest", "UserRejectObservation"})
_HOLDERS = {"MessageEvent": "llm_message", "ObservationEvent": "observation"}
"""Where an event of a kind holds what it says."""
_UNASKED = frozenset({"kind", "security_risk", "summary"})
_TERMINAL_TOOLS = frozenset({"finish"})
_ENDINGS = words_of(__file__)["endings"]


def is_event(record: object) -> bool:
    """Whether the value is an event of the SDK."""
    kind = dict_of(record).get("kind")
    return isinstance(kind, str) and (kind.endswith("Event") or kind in _OTHER_KINDS) and "source" in dict_of(record)


def is_header(value: dict[str, Any]) -> bool:
    """Whether the object describes a conversation whose events are kept elsewhere."""
    return isinstance(value.get("baseState"), dict) and "eventCount" in value


def events_in(document: Document, warnings: list[ReadWarning]) -> list[tuple[str, Any]]:
    """The entries of a document's lines, of its list, or of the list of events in its object, with their places."""
    value = document.value
    if value is MISSING:
        return [(record.place, record.value) for record in document.records(warnings)]
    if isinstance(value, dict) and not is_event(value):
        value = list_of(value.get("events"))
    listed = value if isinstance(value, list) else [value]
    return [(f"event {index}", event) for index, event in enumerate(listed)]


class Reader(OpenHandsReader):
    """Goes through one conversation's events once."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.actions: dict[str, str] = {}
        self.trigger: str | None = None
        self.counted = self.counted_replies = 0

    def header(self, header: dict[str, Any]) -> None:
        """Take in what a description of the conversation states: its id, model, cost and last status."""
        state = dict_of(header.get("baseState")) or header
        self.session.id = str_or_none(state.get("id")) or str_or_none(header.get("id")) or self.session.id
        self._state(state)
        self.session.model = self.session.model or str_or_none(header.get("model"))

    def event(self, place: str, event: object) -> None:
        """Take in one event."""
        if not isinstance(event, dict) or not isinstance(event.get("kind"), str):
            self.session.warnings.append(ReadWarning(place, "not an event of the OpenHands SDK; skipped"))
            return
        session, time = self.session, self.clock(event.get("timestamp"))
        match kind := event["kind"]:
            case "SystemPromptEvent":
                self.note(text_of(event.get("system_prompt")), time, role="system")
            case "MessageEvent":
                self._message(event, time)
            case "ActionEvent":
                self._action(event, time)
            case "ObservationEvent":
                self._observation(event, time)
            case "AgentErrorEvent":
                self.result(self._answered(event), text_of(event.get("error")), True, time).mark = Mark.REJECTED
            case "UserRejectObservation":
                refused = self.result(self._answered(event), text_of(event.get("rejection_reason")), time=time)
                refused.mark = Mark.REJECTED if event.get("rejection_source") == "hook" else Mark.DENIED
            case "CondensationRequest":
                self.trigger = "manual" if event.get("reason") == "manual" else None
            case "Condensation":
                session.events.append(Compaction(time, trigger=self.trigger))
                self.trigger = None
            case "ConversationErrorEvent":
                code = str_or_none(event.get("code"))
                said = ": ".join(filter(None, (code, str_or_none(event.get("detail")))))
                self.ended(session.recorded_status or code, ending_of(said), said or None)
            case "ConversationStateUpdateEvent":
                part, value = event.get("key"), event.get("value")
                if part in ("full_state", "execution_status", "stats", "agent"):
                    self._state(dict_of(value) if part == "full_state" else {part: value}, live=True)
            case "PauseEvent" | "InterruptEvent":
                session.ending, session.ending_detail = Ending.CANCELLED, "the user stopped the agent"
            case _:
                self.unknown(place, "kind", kind)
        key = _HOLDERS.get(kind)
        if key is not None and not isinstance(event.get(key), dict):
            self.log.wrong_type(place, event.get(key), f"an object in {key!r}", "not read")
        elif key is not None:
            self.log.blocks(place, event[key].get("content"), returned=key == "observation")

    def close(self) -> None:
        """Store the counts that are known at the end."""
        super().close()
        self.give(self.shares)

    def _message(self, event: dict[str, Any], time: float | None) -> None:
        message, source = dict_of(event.get("llm_message")), event.get("source")
        text = text_of(message.get("content"))
        if source == "user":
            self.users += 1
            self.session.task = self.session.task or issue_of(text) or None
            self.session.ending = self.session.ending_detail = None
        elif source == "agent":
            self.answers += 1
            self.say(text_of(message.get("reasoning_content")), time, thought=True)
        role: Role = "user" if source == "user" else "assistant" if source == "agent" else "harness"
        self.note(text, time, role=role)

    def _action(self, event: dict[str, Any], time: float | None) -> None:
        reply, known = str_or_none(event.get("llm_response_id")), str_or_none(event.get("tool_call_id"))
        self.answered(reply)
        self.say(text_of(event.get("reasoning_content")).strip(), time, thought=True)
        self.say(text_of(event.get("thought")).strip(), time)
        function = dict_of(value_at(event, ("tool_call.function", "tool_call")))
        name = string_at(event, ("tool_name", "tool_call.function.name", "tool_call.name")) or "unknown"
        call_id = str_or_none(event.get("id")) or known
        if call_id and known:
            self.actions[known] = call_id
        done, given = name in _TERMINAL_TOOLS, dict_of(event.get("action")) or arguments_of(function.get("arguments"))
        arguments = given if isinstance(given, str) else wanted_of(given, _UNASKED)
        self.session.events.append(ToolCall(call_id, name, arguments, time, batch=reply, task_done=done))
        self.session.ending, self.session.ending_detail = (Ending.SUBMITTED if done else None), None

    def _observation(self, event: dict[str, Any], time: float | None) -> None:
        seen = dict_of(event.get("observation"))
        text, error = text_of(seen.get("content", seen.get("output"))), seen.get("error")
        result = self.came(self._answered(event), text, seen, time, late=seen.get("timeout") is True)
        result.is_error = bool_or_none(seen.get("is_error", error))
        if isinstance(error, str) and error.strip():
            # What came out besides may be a warning; an error alone is a refusal.
            result.is_error = result.is_error or (None if result.text.strip() else True)
            result.text = f"{result.text.rstrip()}\n{error}".lstrip()

    def _answered(self, event: dict[str, Any]) -> str | None:
        """Return the id of the call that an event answers."""
        call_id = str_or_none(event.get("tool_call_id"))
        return str_or_none(event.get("action_id")) or (self.actions.get(call_id, call_id) if call_id else None)

    def _state(self, state: dict[str, Any], *, live: bool = False) -> None:
        session = self.session
        session.model = string_at(state, "agent.llm.model") or session.model
        if folder := string_at(state, "workspace.working_dir"):
            session.environment["working directory"] = folder
        self.use(dict_of(value_at(state, ("stats.usage_to_metrics", "stats.service_to_metrics"))), live=live)
        status = str_or_none(state.get("execution_status", state.get("agent_status")))
        session.recorded_status = status or session.recorded_status
        ending, _ = end_of(_ENDINGS, status)
        if ending and session.ending_detail is None:
            session.ending = ending
        elif status == "running":
            session.ending = session.ending_detail = None

    def use(self, metrics: dict[str, Any], *, live: bool = False) -> None:
        """Sum up the models' usage. The figures are running totals, so the last ones count; those that stand among the
        events (`live`) also tell what was used since they stood there before."""
        if not metrics:
            return
        session, total = self.session, Usage(Tokens())
        for one in map(dict_of, metrics.values()):
            session.model = session.model or str_or_none(one.get("model_name"))
            total = together(total, total_of(one))
            self.shares |= answers_of(one)
        session.tokens, session.cost_usd = total.tokens, total.cost_usd
        if live:
            replies = len(self.replies) + self.answers
            self.rose(total, since=self.counted, answers=replies - self.counted_replies)
            self.counted, self.counted_replies = len(session.events), replies
