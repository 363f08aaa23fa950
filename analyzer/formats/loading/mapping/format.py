"""Logs of somebody's own program, read by a mapping that says which keys hold what."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.container.document import Document
from analyzer.formats.loading.mapping.keys import word_of
from analyzer.formats.loading.mapping.reader import SessionReader, is_call
from analyzer.formats.loading.mapping.rows import Row, first_rows, rows
from analyzer.formats.loading.mapping.values import around_or_own, time_of
from analyzer.formats.record.fields import unused_name
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.mapping import LogMapping
from analyzer.model.session import Session

_LOOKED_AT = 400


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
        taken: set[str] = set()
        readers: dict[str | None, SessionReader] = {}
        for row in sorted(found, key=self._when) if rule.order == "time" else found:
            ident = word_of(around_or_own(row, rule.session))
            if ident not in readers:
                readers[ident] = SessionReader(unused_name(ident or stem, taken), self._mapping)
            readers[ident].take(row)
        sessions = [reader.session() for reader in readers.values()]
        kept = [session for session in sessions if any(session.calls())] or sessions[:1]
        for session in sessions:
            if session not in kept:
                kept[0].warnings += session.warnings
        return kept

    def _when(self, row: Row) -> float:
        return time_of(row, self._mapping.log) or 0.0
