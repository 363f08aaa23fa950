"""One session of a mapped log: its records, one after another, as events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.formats.loading.mapping.keys import holds, value_at, word_of
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import (
    arguments,
    around_or_own,
    duration,
    exit_code,
    failed,
    result_text,
    says_anything,
)
from analyzer.formats.record.fields import int_or_none, str_or_none, text_of
from analyzer.formats.record.records import take_time
from analyzer.formats.record.usage import Meter, cost_or_none
from analyzer.formats.record.warnings import NAMELESS_CALL, WarningLog
from analyzer.model.mapping import CallRule, LogMapping, MessageRule, ResultRule
from analyzer.model.session import Message, Role, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE

ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "customer": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "agent": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "system": "system",
    "developer": "system",
}
"""The usual words for who said a message."""
_SORTS = ("event", "type", "kind", "name", "level", "role", "phase", "action")


def is_call(record: Mapping[str, Any], rule: CallRule) -> bool:
    """Whether the record is a call of a tool, as the rule has it."""
    if not holds(record, rule.when):
        return False
    keys = [key for key in (rule.name, rule.command) if key is not None]
    return not keys or any(value_at(record, key) is not None for key in keys)


class SessionReader:
    """Collects the events of one session."""

    def __init__(self, name: str, mapping: LogMapping) -> None:
        self._mapping = mapping
        self._session = Session(name, agent=mapping.log.agent)
        self._meter = Meter(self._session.events)
        self._log = WarningLog()
        self._open: list[tuple[str, str, str | None]] = []
        self._count = 0
        self._said = {"user": 0, "assistant": 0}

    def take(self, row: Row) -> None:
        """Read one record."""
        session, mapping = self._session, self._mapping
        time = take_time(session, around_or_own(row, mapping.log.time)) if mapping.log.time is not None else None
        session.model = session.model or str_or_none(around_or_own(row, mapping.log.model))
        if session.task is None and mapping.log.task is not None:
            session.task = str_or_none(text_of(around_or_own(row, mapping.log.task)))
        lane = word_of(around_or_own(row, mapping.log.lane)) or MAIN_LANE
        understood = self._usage(row.value, lane)
        for rule in mapping.message:
            understood = self._message(row.value, rule, time, lane) or understood
        called = self._call(row, time, lane)
        if mapping.result is not None and self._is_result(row.value, mapping.result, called):
            understood = self._result(row.value, mapping.result, time, lane, called) or understood
        if not understood and called is None:
            self._log.add(row.place, f"neither a call nor a result nor a message{_sort_of(row.value)}; left out")

    def session(self) -> Session:
        """Return the session with all that was taken."""
        session = self._session
        self._meter.settle()
        session.tokens, session.cost_usd = self._meter.tokens(), self._meter.cost()
        session.warnings = self._log.warnings()
        if session.task is not None and not self._said["user"]:
            session.events.insert(0, Message("user", session.task))
            self._said["user"] = 1
        elif session.task is None:
            spoken = (event.text for event in session.events if isinstance(event, Message) and event.role == "user")
            session.task = next(spoken, None)
        session.user_messages, session.assistant_messages = self._said["user"], self._said["assistant"] or None
        return session

    @staticmethod
    def _is_result(record: Mapping[str, Any], rule: ResultRule, called: str | None) -> bool:
        return holds(record, rule.when) if rule.when else called is not None

    def _usage(self, record: Mapping[str, Any], lane: str) -> bool:
        rule = self._mapping.usage
        if rule is None or not holds(record, rule.when):
            return False
        sent, got = (int_or_none(value_at(record, key)) if key else None for key in (rule.input, rule.output))
        cost = cost_or_none(value_at(record, rule.cost)) if rule.cost is not None else None
        if sent is None and got is None and cost is None:
            return False
        self._meter.spent(Tokens(sent, got), cost, lane=lane)
        return True

    def _message(self, record: Mapping[str, Any], rule: MessageRule, time: float | None, lane: str) -> bool:
        text = str_or_none(text_of(value_at(record, rule.text))) if holds(record, rule.when) else None
        if text is None:
            return False
        word = word_of(value_at(record, rule.role_key)) if rule.role_key is not None else None
        role = rule.role or ROLES.get((word or "assistant").casefold())
        if role is None:
            return False
        self._session.events.append(Message(role, text, time, lane, rule.thought))
        if role in self._said and lane == MAIN_LANE and not rule.thought:
            self._said[role] += 1
        return True

    def _call(self, row: Row, time: float | None, lane: str) -> str | None:
        """Add the call that the record is, and return the id that it goes by."""
        rule = self._mapping.call
        if not is_call(row.value, rule):
            return None
        name = word_of(value_at(row.value, rule.name)) if rule.name is not None else rule.tool or "shell"
        if name is None:
            self._log.add(row.place, NAMELESS_CALL)
        self._count += 1
        ident = f"call-{self._count}"
        tool = (name or "unknown").removeprefix(rule.prefix).strip() or "unknown"
        self._session.events.append(ToolCall(ident, tool, arguments(row.value, rule), time, lane))
        recorded = word_of(value_at(row.value, rule.id)) if rule.id is not None else None
        self._open.append((ident, name or "unknown", recorded))
        return ident

    def _result(
        self, record: Mapping[str, Any], rule: ResultRule, time: float | None, lane: str, called: str | None
    ) -> bool:
        """Add the result that the record holds. That of a record which is the call itself belongs to it."""
        if not says_anything(record, rule):
            return called is None and bool(rule.when) and self._empty(record, rule, time, lane)
        ident = called or self._answered(record, rule)
        result = ToolResult(ident, result_text(record, rule), failed(record, rule), exit_code(record, rule), lane=lane)
        result.duration = duration(record, rule, time)
        if called is None:
            result.time = time
        elif time is not None and result.duration is not None:
            result.time = time + result.duration
        take_time(self._session, result.time)
        self._session.events.append(result)
        if called is not None:
            self._open = [entry for entry in self._open if entry[0] != called]
        return True

    def _empty(self, record: Mapping[str, Any], rule: ResultRule, time: float | None, lane: str) -> bool:
        """A record that says no more than that the call is over."""
        ident = self._answered(record, rule)
        if ident is not None:
            self._session.events.append(ToolResult(ident, "", time=time, lane=lane))
        return ident is not None

    def _answered(self, record: Mapping[str, Any], rule: ResultRule) -> str | None:
        """The open call to which a result belongs: by its id, by the tool's name, or the one that waits longest."""
        recorded = word_of(value_at(record, rule.id)) if rule.id is not None else None
        name = word_of(value_at(record, rule.name)) if rule.name is not None else None
        for position, (ident, tool, given) in enumerate(self._open):
            by_id = recorded is not None and given is not None
            if recorded == given if by_id else name is None or tool == name:
                del self._open[position]
                return ident
        self._log.add("results", "a result without a call that it belongs to")
        return None


def _sort_of(record: Mapping[str, Any]) -> str:
    word = next((f" ({key} {word!r})" for key in _SORTS if (word := word_of(record.get(key))) and len(word) < 60), "")
    return word or f" (keys {', '.join(sorted(map(str, record))[:4])[:60]})"
