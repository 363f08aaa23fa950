"""What events of Copilot CLI need beyond `copilot_cli.toml`: lanes, calls that are recorded twice or that the user
made, refusals, and how a session ends."""

from __future__ import annotations

import re
from functools import reduce

from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.rules import Rules
from analyzer.formats.loading.mapping.values import string_at
from analyzer.formats.record.fields import dict_of, int_or_none, str_or_none, text_of
from analyzer.formats.record.token_counts import RunningTotal, added
from analyzer.model.rules import CallRule, ResultRule
from analyzer.model.session import Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Ending, Mark
from analyzer.text.expressions import compiled

_EXITED = compiled(r"\s*<(?:shellId: \S+ |command )?(?:completed|exited) with exit code (-?\d{1,10})>\s*\Z")
_LIMIT = compiled(r"rate.?limit|quota|context|budget|limit", re.IGNORECASE)
_REFUSED = ("denied", "rejected", "cancelled")


class _Reader(RuleReader):
    def __init__(self, session: Session, rules: Rules) -> None:
        super().__init__(session, rules)
        self._by_user: set[str] = set()
        self._refused: dict[str, Mark] = {}
        self._usage: dict[str, RunningTotal] = {}

    def close(self) -> None:
        super().close()
        if self._usage:
            self.session.tokens = reduce(added, (usage.total() for usage in self._usage.values()))

    def lane_of(self, row: Row) -> str:
        """The lane of the sub-agent that wrote an event."""
        agent = string_at(row, ("agentId", "data.agentId", "data.parentToolCallId"))
        return f"agent-{agent[-8:]}" if agent else MAIN_LANE

    def user(self, row: Row) -> None:
        """Tell what the user said from what the program said in the user's name."""
        text, source = text_of(row.value["data"].get("content")), str_or_none(row.value["data"].get("source"))
        if self.lane != MAIN_LANE or (source and source != "user"):
            self.note(text, self.time, self.lane)
            return
        self.ended()
        self.users += not text.strip()
        self.heard(text, self.time)

    def requested(self, row: Row) -> None:
        self._by_user.add(str(row.value["data"].get("toolCallId")))

    def called(self, rule: CallRule, row: Row) -> ToolCall | None:
        """A call, which the agent asks for first and which starts then."""
        call_id = str_or_none(row.value.get("toolCallId") or dict_of(row.value.get("data")).get("toolCallId"))
        if call_id is not None and call_id in self._by_user:
            return None
        if (known := self.recorded(call_id, string_at(row, rule.name))) is None:
            return super().called(rule, row)
        known.batch = known.batch or self.batch
        known.time = self.time if self.batch is None else known.time
        return known

    def returned(self, rule: ResultRule, row: Row, call: ToolCall | None = None) -> ToolResult | None:
        """What came back for a call, unless the user made it."""
        data = row.value["data"]
        call_id, code = str_or_none(data.get("toolCallId")), text_of(dict_of(data.get("error")).get("code")).lower()
        if call_id is not None and call_id in self._by_user:
            return None
        asked = self.calls.get(call_id)
        self.lane = asked.lane if asked is not None else MAIN_LANE
        result = super().returned(rule, row, call)
        assert result is not None
        if ended := _EXITED.search(result.text):
            # The shell's number changes from call to call: with it, no two results would be equal.
            result.text, result.exit_code = result.text[: ended.start()], int(ended[1])
        if "timeout" in code:
            result.mark = Mark.TIMEOUT
        elif any(word in code.lower() for word in _REFUSED):
            result.mark = Mark.DENIED
        elif call_id in self._refused:
            result.mark = self._refused[call_id]
        return result

    def permitted(self, row: Row) -> None:
        data = row.value["data"]
        kind, call_id = text_of(dict_of(data.get("result")).get("kind")), str_or_none(data.get("toolCallId"))
        if call_id and kind.startswith("denied"):
            self._refused[call_id] = Mark.DENIED
        elif call_id and kind.startswith(("cancel", "abort")):
            self._refused[call_id] = Mark.INTERRUPTED

    def over(self, row: Row) -> None:
        kind, data = row.value["type"], row.value["data"]
        if kind == "session.error":
            said = str_or_none(data.get("message")) or "Copilot CLI reports an error."
            self.ended("error", Ending.LIMIT if _LIMIT.search(text_of(data.get("errorType"))) else Ending.CRASHED, said)
        elif kind == "abort":
            self.ended("abort", Ending.CANCELLED, f"Aborted: {str_or_none(data.get('reason')) or 'user initiated'}.")
        else:
            self.session.recorded_status, self.session.ending = "task_complete", Ending.SUBMITTED

    def shut_down(self, row: Row) -> None:
        """Take the tokens of each model, and the error for which the program ended."""
        session, data = self.session, row.value["data"]
        kind = str_or_none(data.get("shutdownType"))
        session.recorded_status = session.recorded_status or kind
        session.model = session.model or str_or_none(data.get("currentModel"))
        if kind == "error":
            session.ending = session.ending or Ending.CRASHED
            session.ending_detail = session.ending_detail or str_or_none(data.get("errorReason"))
        for model, metrics in dict_of(data.get("modelMetrics")).items():
            usage = dict_of(dict_of(metrics).get("usage"))
            counts = (int_or_none(usage.get(key)) for key in ("inputTokens", "outputTokens", "cacheReadTokens"))
            self._usage.setdefault(model, RunningTotal()).take(Tokens(*counts))


FORMAT = declared(__file__, _Reader)
