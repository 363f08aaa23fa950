"""Codex sessions of mid-2025: JSON lines of bare items behind a header line, without a time of their own.

Lines of the form `{"record_type": "state"}` stand between the items and say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.codex.items import Items
from analyzer.formats.container.document import Document
from analyzer.formats.record.fields import dict_of, str_or_none
from analyzer.formats.record.records import records_of, sample_of, take_time
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session


class CodexLegacy:
    """Sessions of Codex before records had a type and a payload."""

    name = "codex-legacy"
    title = "Codex (before rollout records)"
    versions = "September 2025"
    not_recorded: tuple[str, ...] = ("cost", "tokens", "model", "times of messages and calls", "how the session ended")

    def sniff(self, document: Document) -> bool:
        """Whether the document opens with the header of such a session or has its state lines."""
        sample = [dict_of(value) for value in sample_of(document)]
        return bool(sample) and (_is_header(sample[0]) or any(map(_is_state, sample)))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the file's one session."""
        session = Session(document.stem, agent="Codex")
        items = Items(session)
        taken = 0
        for record in records_of(document, session.warnings):
            value = record.value
            if _is_header(value):
                _header(session, value)
                taken += 1
            elif "type" in value:
                taken += 1
                items.item(record.place, value, None)
            elif not _is_state(value):
                items.log.add(record.place, "record without a type; skipped")
        if not taken:
            raise UnreadableInput("holds no item of a Codex session.", where=document.name)
        items.close()
        yield session


FORMAT = CodexLegacy()


def _is_header(record: dict[str, Any]) -> bool:
    return {"id", "timestamp", "instructions"} <= set(record) and "type" not in record and "role" not in record


def _is_state(record: dict[str, Any]) -> bool:
    return record.get("record_type") == "state" and "type" not in record


def _header(session: Session, record: dict[str, Any]) -> None:
    session.id = str_or_none(record.get("id")) or session.id
    take_time(session, record.get("timestamp"))
    session.ended_at = None
    if branch := str_or_none(dict_of(record.get("git")).get("branch")):
        session.environment.setdefault("git branch", branch)
