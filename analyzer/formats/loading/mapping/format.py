"""Logs of somebody's own program, read by a mapping that says which keys hold what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.mapping.rows import Row, first_rows, rows
from analyzer.formats.loading.mapping.values import (
    arguments,
    around_or_own,
    duration,
    failed,
    holds,
    result_text,
    says_anything,
    value_at,
    word_at,
    word_of,
)
from analyzer.formats.record.chat_messages import ROLES as _ROLES
from analyzer.formats.record.fields import int_or_none, parse_time, str_or_none, text_of, unused_name
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.usage import cost_or_none
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.mapping import CallRule, LogMapping, MessageRule, ResultRule
from analyzer.model.session import Message, Role, Session, Tokens
from analyzer.model.words import MAIN_LANE

_LOOKED_AT = 400
ROLES: dict[str, Role] = {**_ROLES, "customer": "user", "agent": "assistant", "bot": "assistant"}
"""The usual words for who said a message."""
_SORTS = ("event", "type", "kind", "name", "level", "role", "phase", "action")


class Mapped:
    """Reads what one mapping describes."""

    name, title, versions = "mapping", "a log read by a mapping of its keys", "what the mapping names"
    not_recorded: tuple[str, ...] = ("what the mapping leaves out",)

    def __init__(self, mapping: LogMapping) -> None:
        self._mapping = mapping

    def sniff(self, document: Document) -> bool:
        """Whether one of the first records is a call, as the mapping has it."""
        if document.bundle is not None:
            return False
        first = first_rows(document, self._mapping.log, _LOOKED_AT)
        return any(is_call(row.value, self._mapping.call) for row in first)

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the sessions in the order in which they begin."""
        log = WarningLog()
        sessions = self.sessions(list(rows(document, self._mapping.log, log)), document.stem)
        if not any(any(session.calls()) for session in sessions):
            raise UnreadableInput("holds no call that the mapping describes.", where=document.name)
        sessions[0].warnings[:0] = log.warnings()
        yield from sessions

    def sessions(self, found: list[Row], stem: str) -> list[Session]:
        """Return the sessions of some records; `stem` is the id of one that has none. What records without a session
        say beside those of several is only in the warnings."""
        rule = self._mapping.log
        if rule.order == "time":
            found = sorted(found, key=lambda row: parse_time(around_or_own(row, rule.time)) or 0.0)
        taken: set[str] = set()
        readers: dict[str | None, _SessionReader] = {}
        for row in found:
            ident = word_of(around_or_own(row, rule.session))
            if ident not in readers:
                session = Session(unused_name(ident or stem, taken), agent=rule.agent)
                readers[ident] = _SessionReader(session, self._mapping)
            readers[ident].row(row)
        for reader in readers.values():
            reader.close()
        sessions = [reader.session for reader in readers.values()]
        kept = [session for session in sessions if any(session.calls())] or sessions[:1]
        for session in sessions:
            if session not in kept:
                kept[0].warnings += session.warnings
        return kept


def is_call(record: Any, rule: CallRule) -> bool:
    """Whether the record is a call of a tool, as the rule has it."""
    if not holds(record, rule.when):
        return False
    keys = [key for key in (rule.name, rule.command) if key is not None]
    return not keys or any(value_at(record, key) is not None for key in keys)


class _SessionReader(RecordReader):
    """Collects the events of one session."""

    def __init__(self, session: Session, mapping: LogMapping) -> None:
        super().__init__(session)
        self._mapping = mapping
        self._open: list[tuple[str, str, str | None]] = []
        self._count = 0

    def row(self, row: Row) -> None:
        """Read one record."""
        session, mapping = self.session, self._mapping
        time = self.clock(around_or_own(row, mapping.log.time))
        session.model = session.model or str_or_none(around_or_own(row, mapping.log.model))
        session.task = session.task or str_or_none(text_of(around_or_own(row, mapping.log.task)))
        lane = word_of(around_or_own(row, mapping.log.lane)) or MAIN_LANE
        understood = self._usage(row.value, lane)
        for rule in mapping.message:
            understood = self._message(row.value, rule, time, lane) or understood
        called = self._call(row, time, lane)
        answer = mapping.result
        if answer is not None and (holds(row.value, answer.when) if answer.when else called is not None):
            understood = self._result(row.value, answer, time, lane, called) or understood
        if not understood and called is None:
            self.log.add(row.place, f"neither a call nor a result nor a message{_sort_of(row.value)}; left out")

    def close(self) -> None:
        """Fill in what is known at the end, the task among it."""
        super().close()
        session = self.session
        if session.task is not None and not self.users:
            session.events.insert(0, Message("user", session.task))
            session.user_messages = 1
        elif session.task is None:
            spoken = (event.text for event in session.events if isinstance(event, Message) and event.role == "user")
            session.task = next(spoken, None)
        session.assistant_messages = self.answers or None

    def _usage(self, record: Mapping[str, Any], lane: str) -> bool:
        rule = self._mapping.usage
        if rule is None or not holds(record, rule.when):
            return False
        tokens = Tokens(int_or_none(value_at(record, rule.input)), int_or_none(value_at(record, rule.output)))
        cost = cost_or_none(value_at(record, rule.cost))
        if tokens == Tokens() and cost is None:
            return False
        self.meter.spent(tokens, cost, lane=lane)
        return True

    def _message(self, record: Mapping[str, Any], rule: MessageRule, time: float | None, lane: str) -> bool:
        text = str_or_none(text_of(value_at(record, rule.text))) if holds(record, rule.when) else None
        role = rule.role or ROLES.get((word_at(record, rule.role_key) or "assistant").casefold())
        if text is None or role is None:
            return False
        self.session.events.append(Message(role, text, time, lane, rule.thought))
        if lane == MAIN_LANE and not rule.thought:
            self.users += role == "user"
            self.answers += role == "assistant"
        return True

    def _call(self, row: Row, time: float | None, lane: str) -> str | None:
        """Add the call that the record is, and return the id that it goes by."""
        rule = self._mapping.call
        if not is_call(row.value, rule):
            return None
        name = word_at(row.value, rule.name) if rule.name is not None else rule.tool or "shell"
        self._count += 1
        ident = f"call-{self._count}"
        tool = name.removeprefix(rule.prefix).strip() if name is not None else None
        self.call(row.place, ident, tool, arguments(row.value, rule), time, lane)
        self._open.append((ident, name or "unknown", word_at(row.value, rule.id)))
        return ident

    def _result(
        self, record: Mapping[str, Any], rule: ResultRule, time: float | None, lane: str, called: str | None
    ) -> bool:
        """Add the result that the record holds. That of a record which is the call itself belongs to it; one that says
        nothing says that the call is over."""
        says = says_anything(record, rule)
        if not says and (called is not None or not rule.when):
            return False
        ident = called or self._answered(record, rule)
        if not says and ident is None:
            return False
        result = self.result(ident, result_text(record, rule), failed(record, rule), time, lane)
        result.exit_code = int_or_none(value_at(record, rule.exit_code))
        if says:
            result.duration = duration(record, rule, time)
        if called is not None:
            result.time = None if time is None or result.duration is None else time + result.duration
            self._open = [entry for entry in self._open if entry[0] != called]
        self.clock(result.time)
        return True

    def _answered(self, record: Mapping[str, Any], rule: ResultRule) -> str | None:
        """The open call to which a result belongs: by its id, by the tool's name, or the one that waits longest."""
        recorded, name = word_at(record, rule.id), word_at(record, rule.name)
        for position, (ident, tool, given) in enumerate(self._open):
            by_id = recorded is not None and given is not None
            if recorded == given if by_id else name is None or tool == name:
                del self._open[position]
                return ident
        self.log.add("results", "a result without a call that it belongs to")
        return None


def _sort_of(record: Mapping[str, Any]) -> str:
    word = next((f" ({key} {word!r})" for key in _SORTS if (word := word_of(record.get(key))) and len(word) < 60), "")
    return word or f" (keys {', '.join(sorted(map(str, record))[:4])[:60]})"
