"""What managed agents' sessions need beyond `claude_managed_agents.toml`: threads, permissions, requests, verdicts."""

from __future__ import annotations

from typing import Any

from analyzer.formats.loading.interface import words_of
from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader, Rules
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, text_at, value_at
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, str_or_none
from analyzer.formats.record.token_counts import CACHE_WRITTEN, of_claude
from analyzer.model.session import Session, Tokens, ToolResult
from analyzer.model.words import MAIN_LANE, Ending, Mark

_CENTS = 100
_UNSOLVED = words_of(__file__)["unsolved"]


class _Reader(RuleReader):
    def __init__(self, session: Session, rules: Rules) -> None:
        super().__init__(session, rules)
        self._requests: dict[str, int] = {}
        self._total = Tokens()
        self._seen: set[str] = set()
        self._began = 0
        self._main_thread: str | None = None
        self._verdict: tuple[str, str | None] | None = None
        # A refusal is the call's result, unless one of its own says so to the agent.
        self._refused: dict[str | None, ToolResult] = {}

    def take(self, place: str, record: dict[str, Any]) -> None:
        event = dict_of(record.get("raw")) if "kind" in record and "raw" in record else record
        name = str_or_none(event.get("id")) or place
        if name not in self._seen:
            self._seen.add(name)
            super().take(place, event)

    def close(self) -> None:
        session = self.session
        session.events += self._refused.values()
        if self._verdict and session.ending not in {Ending.CRASHED, Ending.CANCELLED}:
            # The agent may tidy up after it was judged, which changes nothing about the verdict.
            verdict, why = self._verdict
            judged = Ending.SOLVED if verdict == "satisfied" else Ending.UNSOLVED if verdict in _UNSOLVED else None
            self.ended(verdict, judged or session.ending, why)
        super().close()
        if session.tokens.output is None:
            session.tokens = self._total

    def lane_of(self, row: Row) -> str:
        """The thread that an event belongs to; the first one that runs is the main one."""
        thread = str_or_none(row.value.get("session_thread_id"))
        if row.value.get("type") == "session.thread_status_running" and self._main_thread is None:
            self._main_thread = thread
        return MAIN_LANE if thread is None or thread == self._main_thread else f"agent-{thread[-8:]}"

    def asked_for(self, row: Row) -> None:
        """Join a call to those of its request; it may be refused at once."""
        call, server = self.last_call, string_at(row, "mcp_server_name")
        call.batch = f"request-{self._began}" if self._began else None
        if row.value["type"] == "agent.mcp_tool_use" and server:
            call.name = f"mcp__{server}__{call.name}"
        if row.value.get("evaluated_permission") == "deny":
            self._refuse(call.id, "permission denied")

    def _refuse(self, call_id: str | None, said: str) -> None:
        self._refused[call_id] = ToolResult(call_id, said, time=self.time, lane=self.lane, mark=Mark.DENIED)

    def told(self, _row: Row) -> None:
        """Give a call that was refused the refusal as its result."""
        result = self.last_result
        if (refusal := self._refused.pop(result.call_id, None)) is not None and result.is_error is not False:
            result.mark, result.text = Mark.DENIED, result.text or refusal.text

    def interrupted(self, _row: Row) -> None:
        if self.session.recorded_status != "end_turn":
            self._broke(Ending.CANCELLED, "the user interrupted the agent")

    def _broke(self, ending: Ending, detail: str) -> None:
        self.session.ending, self.session.ending_detail = ending, detail

    def denied(self, row: Row) -> None:
        self._refuse(string_at(row, "tool_use_id"), text_at(row, "deny_message") or "the user refused the call")

    def again(self, _row: Row) -> None:
        self._verdict = None

    def request(self, row: Row) -> None:
        """Remember where a request of the model began."""
        self._began += 1
        for name in filter(None, (string_at(row, "id"), self.lane)):
            self._requests[name] = len(self.session.events)

    def answered(self, row: Row) -> None:
        started = self._requests.pop(string_at(row, "model_request_start_id") or self.lane, None)
        self.meter.spent(of_claude(dict_of(row.value.get("model_usage"))), lane=self.lane, since=started)

    def judged(self, row: Row) -> None:
        self._verdict = string_at(row, "result") or "no verdict", string_at(row, "explanation")

    def used(self, row: Row) -> None:
        """Take the service's own sum."""
        usage, amount = dict_of(row.value.get("usage")), value_at(row, "usage.list_cost.amount")
        kinds = map(int_or_none, dict_of(usage.get("cache_creation")).values())
        self._total = of_claude({CACHE_WRITTEN: sum(max(count, 0) for count in kinds if count), **usage})
        if isinstance(amount, str) and amount.isdecimal() and len(amount) < 15:
            amount = int(amount)
        number = float_or_none(amount)
        if number is not None and value_at(row, "usage.list_cost.currency") == "USD":
            self.session.cost_usd = max(number / _CENTS, self.session.cost_usd or 0.0)

    def idle(self, row: Row) -> None:
        self.session.recorded_status = status = string_at(row, ("stop_reason.type", "stop_reason"))
        if status == "retries_exhausted":
            self._broke(Ending.CRASHED, "the model's service failed until the retries ran out")
        elif status == "end_turn" and self.session.ending is None:
            self.session.ending = Ending.SUBMITTED

    def failed(self, row: Row) -> None:
        said = string_at(row, "error.message") or text_at(row, "error")
        self._broke(Ending.CRASHED, said or "the service ended the session")


FORMAT = declared(__file__, _Reader)
