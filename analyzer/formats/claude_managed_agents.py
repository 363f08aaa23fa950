"""Session events of Claude's managed agents: JSON lines, bare as the service sends them or wrapped in `{role, kind,
..., raw}`.

A result names the event of its call. Usage is counted from the model requests; the service's own sum also has what they
cost at list prices, in cents.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import arguments_of, dict_of, float_or_none, int_or_none, str_or_none, text_of
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.token_counts import CACHE_WRITTEN, of_claude
from analyzer.model.session import Compaction, Message, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Ending, Mark
from analyzer.text.names import name_set

_FAMILIES = ("agent.", "user.", "session.", "span.")
_USES = frozenset({"agent.tool_use", "agent.mcp_tool_use", "agent.custom_tool_use"})
_RESULTS = frozenset({"agent.tool_result", "agent.mcp_tool_result", "user.custom_tool_result"})
_SILENT = name_set(
    """
    session.status_running session.thread_status_running session.thread_status_idle session.thread_created
    session.thread_idle session.status_rescheduled session.deleted session.updated session.outcome_evaluated
    span.model_request_start span.outcome_evaluation_start span.outcome_evaluation_ongoing
    """
)
_CENTS = 100
_VERDICTS = {
    "satisfied": Ending.SOLVED,
    "needs_revision": Ending.UNSOLVED,
    "not_satisfied": Ending.UNSOLVED,
    "failed": Ending.UNSOLVED,
    "max_iterations_reached": Ending.UNSOLVED,
}


def _raw(value: object) -> dict[str, Any]:
    event = dict_of(value)
    return dict_of(event.get("raw")) if "kind" in event and "raw" in event else event


class _Reader(RecordReader):
    """Goes through one session's events once."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._requests: dict[str, int] = {}
        self._total = Tokens()
        self._seen: set[str] = set()
        self._batch = 0
        self._main_thread: str | None = None
        self._verdict: tuple[str, str | None] | None = None
        # A refusal is the call's result, unless one of its own says so to the agent.
        self._refused: dict[str | None, ToolResult] = {}

    def take(self, place: str, value: dict[str, Any]) -> None:
        """Read one event."""
        event = _raw(value)
        kind = event.get("type")
        if not isinstance(kind, str):
            self.log.add(place, "no event of a managed agent; skipped")
            return
        event_id = str_or_none(event.get("id"))
        if event_id and event_id in self._seen:
            return
        if event_id:
            self._seen.add(event_id)
        time = self.clock(event.get("processed_at"))
        lane = self._lane(event, kind)
        if kind in _USES:
            self._call(event, kind, time, lane)
        elif kind in _RESULTS:
            self._result(event, time, lane)
        elif kind.startswith("user."):
            self._user(place, event, kind, time, lane)
        elif kind == "agent.message":
            self.answers += lane == MAIN_LANE
            self.say(text_of(event.get("content")), time, lane)
        elif kind == "agent.thinking":
            thought = text_of(event.get("thinking") or event.get("content"))
            self.say(thought, time, lane, thought=True)
        elif kind == "agent.thread_context_compacted":
            self.session.events.append(Compaction(time, lane))
        elif kind in {"agent.thread_message_sent", "agent.thread_message_received"}:
            self.note(text_of(event.get("content")), time, lane)
        elif kind.startswith(("session.", "span.")):
            self._status(place, event, kind)
        elif kind == "session":
            self._own_record(event)
        else:
            self.unknown(place, "event", kind)

    def close(self) -> None:
        """Fill in what is known at the end."""
        session = self.session
        session.events += self._refused.values()
        if self._verdict and session.ending not in {Ending.CRASHED, Ending.CANCELLED}:
            # The agent may tidy up after it was judged, which changes nothing about the verdict.
            self.ended(self._verdict[0], _VERDICTS.get(self._verdict[0], session.ending), self._verdict[1])
        super().close()
        if session.tokens.output is None:
            session.tokens = self._total

    def _own_record(self, record: dict[str, Any]) -> None:
        """The session's own record, as the service gives it to whoever creates the session."""
        agent = dict_of(record.get("agent"))
        self.session.model = self.session.model or str_or_none(dict_of(agent.get("model")).get("id"))
        if name := str_or_none(agent.get("name")):
            self.session.environment.setdefault("agent", name)

    def _lane(self, event: dict[str, Any], kind: str) -> str:
        """The thread that an event belongs to; the first one that runs is the main one."""
        thread = str_or_none(event.get("session_thread_id"))
        if kind == "session.thread_status_running" and self._main_thread is None:
            self._main_thread = thread
        if name := str_or_none(event.get("agent_name")):
            self.session.environment.setdefault("agent", name)
        return self._thread_lane(event) if kind.startswith(("agent.", "user.")) else MAIN_LANE

    def _thread_lane(self, event: dict[str, Any]) -> str:
        thread = str_or_none(event.get("session_thread_id"))
        return MAIN_LANE if thread is None or thread == self._main_thread else f"agent-{thread[-8:]}"

    def _call(self, event: dict[str, Any], kind: str, time: float | None, lane: str) -> None:
        name = str_or_none(event.get("name")) or "unknown"
        server = str_or_none(event.get("mcp_server_name"))
        if kind == "agent.mcp_tool_use" and server:
            name = f"mcp__{server}__{name}"
        call = ToolCall(str_or_none(event.get("id")), name, arguments_of(event.get("input")), time, lane)
        call.batch = f"request-{self._batch}" if self._batch else None
        self.session.events.append(call)
        self.ended()
        if event.get("evaluated_permission") == "deny":
            self._refused[call.id] = ToolResult(call.id, "permission denied", time=time, lane=lane, mark=Mark.DENIED)

    def _result(self, event: dict[str, Any], time: float | None, lane: str) -> None:
        ids = (event.get("tool_use_id"), event.get("mcp_tool_use_id"), event.get("custom_tool_use_id"))
        call_id = next(filter(None, map(str_or_none, ids)), None)
        result = self.result(call_id, text_of(event.get("content")), event.get("is_error"), time, lane)
        if (refusal := self._refused.pop(result.call_id, None)) is not None and result.is_error is not False:
            result.mark, result.text = Mark.DENIED, result.text or refusal.text

    def _user(self, place: str, event: dict[str, Any], kind: str, time: float | None, lane: str) -> None:
        if kind == "user.interrupt":
            if self.session.recorded_status != "end_turn":
                self.session.ending, self.session.ending_detail = Ending.CANCELLED, "the user interrupted the agent"
        elif kind == "user.tool_confirmation":
            if event.get("result") == "deny":
                said = text_of(event.get("deny_message")) or "the user refused the call"
                call_id = str_or_none(event.get("tool_use_id"))
                self._refused[call_id] = ToolResult(call_id, said, time=time, lane=lane, mark=Mark.DENIED)
        elif kind in {"user.message", "user.define_outcome"}:
            text = text_of(event.get("content") or event.get("description"))
            self.session.say(Message("user" if lane == MAIN_LANE else "harness", text, time, lane))
            if lane == MAIN_LANE and text.strip():
                self.users += 1
                self.session.task = self.session.task or text.strip()
            self._verdict = None
            self.ended()
        else:
            self.unknown(place, "event", kind)

    def _status(self, place: str, event: dict[str, Any], kind: str) -> None:
        session = self.session
        if kind == "span.model_request_end":
            thread = self._thread_lane(event)
            since = self._requests.pop(str_or_none(event.get("model_request_start_id")) or thread, None)
            self.meter.spent(of_claude(dict_of(event.get("model_usage"))), lane=thread, since=since)
        elif kind == "span.outcome_evaluation_end":
            verdict = str_or_none(event.get("result")) or "no verdict"
            self._verdict = (verdict, str_or_none(event.get("explanation")))
        elif kind == "session.usage":
            self._usage(dict_of(event.get("usage")))
        elif kind == "session.status_idle":
            stop = dict_of(event.get("stop_reason"))
            session.recorded_status = str_or_none(stop.get("type")) or str_or_none(event.get("stop_reason"))
            if session.recorded_status == "retries_exhausted":
                session.ending, session.ending_detail = (
                    Ending.CRASHED,
                    "the model's service failed until the retries ran out",
                )
            elif session.recorded_status == "end_turn" and session.ending is None:
                session.ending = Ending.SUBMITTED
        elif kind in {"session.error", "session.status_terminated"}:
            error = dict_of(event.get("error"))
            said = str_or_none(error.get("message")) or text_of(event.get("error")) or "the service ended the session"
            retried = str_or_none(dict_of(error.get("retry_status")).get("type"))
            if retried != "retrying":
                session.ending, session.ending_detail = Ending.CRASHED, said
        elif kind == "span.model_request_start":
            self._batch += 1
            for name in (str_or_none(event.get("id")), self._thread_lane(event)):
                if name is not None:
                    self._requests[name] = len(session.events)
        else:
            self.unknown(place, "event", kind, _SILENT)

    def _usage(self, usage: dict[str, Any]) -> None:
        written = sum(
            max(count, 0) for count in map(int_or_none, dict_of(usage.get("cache_creation")).values()) if count
        )
        self._total = of_claude({CACHE_WRITTEN: written, **usage})
        cost = dict_of(usage.get("list_cost"))
        amount = cost.get("amount")
        number = float_or_none(
            int(amount) if isinstance(amount, str) and amount.isdecimal() and len(amount) < 15 else amount
        )
        if number is not None and cost.get("currency") == "USD":
            self.session.cost_usd = max(number / _CENTS, self.session.cost_usd or 0.0)


class ClaudeManagedAgents(RecordFormat):
    """Reads one session's events."""

    name = "claude-managed-agents"
    title = agent = "Claude managed agents"
    versions = "session.*, agent.* and span.* records"
    not_recorded = ("model, unless the session's own record is there", "what the agent thought", "exit codes")
    nothing = "event of a managed agent"
    reader = _Reader
    looked_at, listed = 5, "data"

    def is_own(self, value: object) -> bool:
        """Whether a record is an event of the service."""
        event = _raw(value)
        kind = event.get("type")
        if not isinstance(kind, str) or not kind.startswith(_FAMILIES):
            return False
        return "processed_at" in event or ("kind" in dict_of(value) and "raw" in dict_of(value))


FORMAT = ClaudeManagedAgents()
"""The object that the registry lists."""
