"""The events of the OpenHands SDK (V1), wherever they're kept, as one session.

Every event names its `kind`. An observation names the action that it answers; an error of the agent's own call names
only the call's id.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import end_of, words_of
from analyzer.formats.openhands.reader import OpenHandsReader, answers_of, ending_of, give, total_of, wanted_of
from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.usage import together
from analyzer.model.session import Compaction, ReadWarning, Role, Session, Tokens, ToolCall, Usage
from analyzer.model.words import Ending, Mark

_OTHER_KINDS = frozenset({"Condensation", "CondensationRequest", "UserRejectObservation"})
_HOLDERS = {"MessageEvent": "llm_message", "ObservationEvent": "observation"}
"""Where an event of a kind holds what it says."""
_UNASKED = frozenset({"kind", "security_risk", "summary"})
_TERMINAL_TOOLS = frozenset({"finish"})
_UNKNOWN_CODE = -1
_ENDINGS = words_of(__file__)["endings"]


def is_event(record: object) -> bool:
    """Whether the value is an event of the SDK."""
    if not isinstance(record, dict):
        return False
    kind = record.get("kind")
    return isinstance(kind, str) and (kind.endswith("Event") or kind in _OTHER_KINDS) and "source" in record


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
    return placed(value if isinstance(value, list) else [value])


def placed(events: list[Any]) -> list[tuple[str, Any]]:
    """The events of a list with their places."""
    return [(f"event {index}", event) for index, event in enumerate(events)]


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
        match event["kind"]:
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
                code, detail = str_or_none(event.get("code")), str_or_none(event.get("detail"))
                said = ": ".join(part for part in (code, detail) if part)
                session.ending, session.ending_detail = ending_of(said), said or None
                session.recorded_status = session.recorded_status or code
            case "ConversationStateUpdateEvent":
                part, value = event.get("key"), event.get("value")
                if part == "full_state":
                    self._state(dict_of(value), live=True)
                elif part in ("execution_status", "stats", "agent"):
                    self._state({part: value}, live=True)
            case "PauseEvent" | "InterruptEvent":
                session.ending, session.ending_detail = Ending.CANCELLED, "the user stopped the agent"
            case kind:
                self.unknown(place, "kind", kind)
        key = _HOLDERS.get(event["kind"])
        if key is not None and not isinstance(event.get(key), dict):
            self.log.wrong_type(place, event.get(key), f"an object in {key!r}", "not read")
        elif key is not None:
            self.log.blocks(place, event[key].get("content"), returned=key == "observation")

    def close(self) -> None:
        """Store the counts that are known at the end."""
        super().close()
        if self.shares:
            give(self.session.calls(), self.shares)
        else:
            self.meter.settle()

    def _message(self, event: dict[str, Any], time: float | None) -> None:
        message = dict_of(event.get("llm_message"))
        text = text_of(message.get("content"))
        source = event.get("source")
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
        reply = str_or_none(event.get("llm_response_id"))
        self.answered(reply)
        self.say(text_of(event.get("reasoning_content")).strip(), time, thought=True)
        self.say(text_of(event.get("thought")).strip(), time)
        asked = dict_of(event.get("tool_call"))
        function = dict_of(asked.get("function")) or asked
        name = str_or_none(event.get("tool_name")) or str_or_none(function.get("name")) or "unknown"
        call_id = str_or_none(event.get("id")) or str_or_none(event.get("tool_call_id"))
        if call_id and str_or_none(event.get("tool_call_id")):
            self.actions[event["tool_call_id"]] = call_id
        action, done = event.get("action"), name in _TERMINAL_TOOLS
        given = action if isinstance(action, dict) and action else arguments_of(function.get("arguments"))
        arguments = given if isinstance(given, str) else wanted_of(given, _UNASKED)
        call = ToolCall(call_id, name, arguments, time, batch=reply, task_done=done)
        self.session.events.append(call)
        self.session.ending, self.session.ending_detail = (Ending.SUBMITTED if done else None), None

    def _observation(self, event: dict[str, Any], time: float | None) -> None:
        seen = dict_of(event.get("observation"))
        text, error = text_of(seen.get("content", seen.get("output"))), seen.get("error")
        metadata = dict_of(seen.get("metadata"))
        code = int_or_none(seen.get("exit_code"))
        if code is None:
            code = int_or_none(metadata.get("exit_code"))
        note = text_of(metadata.get("suffix")).strip()
        if code == _UNKNOWN_CODE and seen.get("timeout") is not True and note not in text:
            text = f"{text}\n{note}".lstrip("\n")  # it says that the command runs on
        result = self.result(self._answered(event), text, seen.get("is_error", error), time)
        if isinstance(error, str) and error.strip():
            # What came out besides may be a warning; an error alone is a refusal.
            result.is_error = result.is_error or (None if text.strip() else True)
            result.text = f"{text.rstrip()}\n{error}".lstrip()
        result.exit_code = None if code == _UNKNOWN_CODE else code
        result.mark = Mark.TIMEOUT if seen.get("timeout") is True else None
        self.place(metadata, working_dir="working directory")

    def _answered(self, event: dict[str, Any]) -> str | None:
        """Return the id of the call that an event answers."""
        call_id = str_or_none(event.get("tool_call_id"))
        return str_or_none(event.get("action_id")) or (self.actions.get(call_id, call_id) if call_id else None)

    def _state(self, state: dict[str, Any], *, live: bool = False) -> None:
        session = self.session
        session.model = str_or_none(dict_of(dict_of(state.get("agent")).get("llm")).get("model")) or session.model
        folder = str_or_none(dict_of(state.get("workspace")).get("working_dir"))
        if folder:
            session.environment["working directory"] = folder
        stats = dict_of(state.get("stats"))
        self.use(dict_of(stats.get("usage_to_metrics", stats.get("service_to_metrics"))), live=live)
        status = str_or_none(state.get("execution_status", state.get("agent_status")))
        if status is None:
            return
        session.recorded_status = status
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
            self.rising.take(total, since=self.counted, answers=replies - self.counted_replies)
            self.counted, self.counted_replies = len(session.events), replies
