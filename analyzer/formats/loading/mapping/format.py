"""Logs of somebody's own program, read by a mapping that says which keys hold what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.mapping.reader import RuleReader, Rules
from analyzer.formats.loading.mapping.rows import Row, first_rows, rows
from analyzer.formats.loading.mapping.values import around_or_own, holds, says_anything, value_at, word_of
from analyzer.formats.record.fields import float_or_none, parse_time, str_or_none, text_of, unused_name
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.mapping import LogMapping
from analyzer.model.rules import CallRule, ResultRule
from analyzer.model.session import Message, Session, ToolCall
from analyzer.model.words import MAIN_LANE

_LOOKED_AT = 400
_SORTS = ("event", "type", "kind", "name", "level", "role", "phase", "action")


class Mapped:
    """Reads what one mapping describes."""

    name, title, versions = "mapping", "a log read by a mapping of its keys", "what the mapping names"
    not_recorded: tuple[str, ...] = ("what the mapping leaves out",)

    def __init__(self, mapping: LogMapping) -> None:
        self._mapping, self.leaves = mapping, mapping.log.leaves

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
        taken, known = set[str](), Rules(self._mapping)
        readers: dict[str | None, _SessionReader] = {}
        for row in found:
            ident = word_of(around_or_own(row, rule.session))
            if ident not in readers:
                session = Session(unused_name(ident or stem, taken), agent=rule.agent)
                readers[ident] = _SessionReader(session, known)
            readers[ident].row(row)
        sessions = [reader.closed() for reader in readers.values()]
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


class _SessionReader(RuleReader):
    """Collects the events of one session. A record may be a message, a call, a result and a count at once."""

    def __init__(self, session: Session, rules: Rules) -> None:
        super().__init__(session, rules)
        self._task: str | None = None

    def row(self, row: Row) -> None:
        session, mapping = self.session, self.rules.mapping
        self.time = self.clock(around_or_own(row, mapping.log.time))
        session.model = session.model or str_or_none(around_or_own(row, mapping.log.model))
        self._task = self._task or str_or_none(text_of(around_or_own(row, mapping.log.task)))
        solved, score = around_or_own(row, mapping.log.solved), float_or_none(around_or_own(row, mapping.log.score))
        if solved is not None or score is not None:
            self.verdict(solved, score)
        self.lane = word_of(around_or_own(row, mapping.log.lane)) or MAIN_LANE
        usage, answer = mapping.usage, mapping.result
        understood = usage is not None and holds(row, usage.when) and self.spent(usage, row)
        for rule in mapping.message:
            understood = (holds(row, rule.when) and self.message(rule, row)) or understood
        call = self.called(mapping.call, row) if is_call(row, mapping.call) else None
        if answer is not None and (holds(row, answer.when) if answer.when else call is not None):
            understood = self._result(row, answer, call) or understood
        if not understood and call is None:
            words = ((key, word_of(row.value.get(key))) for key in _SORTS)
            sort = next((f"{key} {word!r}" for key, word in words if word and len(word) < 60), None)
            sort = sort or f"keys {', '.join(sorted(map(str, row.value))[:4])[:60]}"
            self.log.add(row.place, f"neither a call nor a result nor a message ({sort}); left out")

    def close(self) -> None:
        """Fill in what is known at the end, the task among it."""
        super().close()
        session = self.session
        session.task = self._task or session.task
        if session.task is not None and not self.users:
            session.events.insert(0, Message("user", session.task))
            session.user_messages = 1
        said = (event for event in session.events if isinstance(event, Message) and event.role == "assistant")
        session.assistant_messages = sum(not event.thought and event.lane == MAIN_LANE for event in said) or None

    def _result(self, row: Row, rule: ResultRule, call: ToolCall | None) -> bool:
        """Add the result that the record holds. That of a record which is the call itself belongs to it; one that says
        nothing says that the call is over."""
        if says_anything(row, rule):
            self.returned(rule, row, call)
            return True
        if call is not None or not rule.when or (waiting := self.waiting(rule, row)) is None:
            return False
        self.result(waiting, "", None, self.time, self.lane)
        return True
