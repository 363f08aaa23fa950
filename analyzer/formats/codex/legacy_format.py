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
from analyzer.formats.record.sessions import FileLog, SessionsFormat
from analyzer.model.session import Session


class CodexLegacy(SessionsFormat):
    """Sessions of Codex before records had a type and a payload."""

    name = "codex-legacy"
    title = "Codex (before rollout records)"
    versions = "September 2025"
    not_recorded = ("cost", "tokens", "model", "times of messages and calls", "how the session ended")
    nothing = "item of a Codex session"

    def sniff(self, document: Document) -> bool:
        """Whether the document opens with the header of such a session or has its state lines."""
        sample = [dict_of(value) for value in sample_of(document)]
        return bool(sample) and (_is_header(sample[0]) or any(map(_is_state, sample)))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session."""
        items, taken = Items(Session(document.stem, agent="Codex")), False
        for record in records_of(document, log.damage):
            value = record.value
            if _is_header(value):
                _header(items.session, value)
            elif "type" in value:
                items.item(record.place, value, None)
            elif not _is_state(value):
                items.log.add(record.place, "record without a type; skipped")
            taken = taken or _is_header(value) or "type" in value
        items.close()
        if taken:
            yield items.session


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
