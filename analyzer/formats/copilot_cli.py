"""What events of Copilot CLI need beyond `copilot_cli.toml`: lanes, calls that are recorded twice or that the user
made, refusals, and how a session ends."""

from __future__ import annotations

import re
from functools import reduce
from typing import Any

from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader, Rules
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, text_at, value_at
from analyzer.formats.record.fields import dict_of, int_or_none
from analyzer.formats.record.token_counts import RunningTotal, added
from analyzer.model.rules import CallRule
from analyzer.model.session import Session, Tokens, ToolCall
from analyzer.model.words import MAIN_LANE, Ending, Mark
from analyzer.text.late import late

_EXITED = late(r"\s*<(?:shellId: \S+ |command )?(?:completed|exited) with exit code (-?\d{1,10})>\s*\Z")
_LIMIT = late(r"rate.?limit|quota|context|budget|limit", re.IGNORECASE)
_REFUSED = ("denied", "rejected", "cancelled")


class _Reader(RuleReader):
    def __init__(self, session: Session, rules: Rules) -> None:
        super().__init__(session, rules)
        self._by_user: set[str] = set()
        self._refused: dict[str | None, Mark] = {}
        self._usage: dict[str, RunningTotal] = {}

    def take(self, place: str, record: dict[str, Any]) -> None:
        # What the user runs is no call of the agent.
        if string_at(record, "data.toolCallId") not in self._by_user:
            super().take(place, record)

    def close(self) -> None:
        super().close()
        if self._usage:
            self.session.tokens = reduce(added, (usage.total() for usage in self._usage.values()))

    def lane_of(self, row: Row) -> str:
        agent = string_at(row, ("agentId", "data.agentId", "data.parentToolCallId"))
        return f"agent-{agent[-8:]}" if agent else MAIN_LANE

    def requested(self, row: Row) -> None:
        self._by_user.add(string_at(row, "data.toolCallId") or "")

    def called(self, rule: CallRule, row: Row) -> ToolCall | None:
        """A call, which the agent asks for first and which starts then."""
        if (known := self.recorded(string_at(row, rule.id), string_at(row, rule.name))) is None:
            return super().called(rule, row)
        known.batch = known.batch or self.batch
        known.time = self.time if self.batch is None else known.time
        return known

    def told(self, row: Row) -> None:
        result, code = self.last_result, text_at(row, "data.error.code").lower()
        asked = self.calls.get(result.call_id)
        result.lane = asked.lane if asked is not None else MAIN_LANE
        if ended := _EXITED.search(result.text):
            # The shell's number changes from call to call: with it, no two results would be equal.
            result.text, result.exit_code = result.text[: ended.start()], int(ended[1])
        refused = Mark.DENIED if any(word in code for word in _REFUSED) else self._refused.get(result.call_id)
        result.mark = Mark.TIMEOUT if "timeout" in code else refused

    def permitted(self, row: Row) -> None:
        kind, call_id = text_at(row, "data.result.kind"), string_at(row, "data.toolCallId")
        if call_id and kind.startswith(("denied", "cancel", "abort")):
            self._refused[call_id] = Mark.DENIED if kind.startswith("denied") else Mark.INTERRUPTED

    def over(self, row: Row) -> None:
        kind = row.value["type"]
        if kind == "session.error":
            said = string_at(row, "data.message") or "Copilot CLI reports an error."
            self.ended("error", Ending.LIMIT if _LIMIT.search(text_at(row, "data.errorType")) else Ending.CRASHED, said)
        elif kind == "abort":
            why = string_at(row, "data.reason") or "user initiated"
            self.ended("abort", Ending.CANCELLED, f"Aborted: {why}.")
        else:
            self.session.recorded_status, self.session.ending = "task_complete", Ending.SUBMITTED

    def shut_down(self, row: Row) -> None:
        """Take the tokens of each model, and the error for which the program ended."""
        session, kind = self.session, string_at(row, "data.shutdownType")
        session.recorded_status = session.recorded_status or kind
        if kind == "error":
            session.ending = session.ending or Ending.CRASHED
            session.ending_detail = session.ending_detail or string_at(row, "data.errorReason")
        for model, metrics in dict_of(value_at(row, "data.modelMetrics")).items():
            counts = (int_or_none(value_at(metrics, f"usage.{key}Tokens")) for key in ("input", "output", "cacheRead"))
            self._usage.setdefault(model, RunningTotal()).take(Tokens(*counts))


FORMAT = declared(__file__, _Reader)
