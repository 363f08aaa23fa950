"""Codex sessions of mid-2025: JSON lines of bare items behind a header line, without a time of their own.

Lines of the form `{"record_type": "state"}` stand between the items and say nothing.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.codex.items import Items
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import described
from analyzer.formats.record.fields import dict_of, str_or_none
from analyzer.formats.record.reader import RecordFormat
from analyzer.formats.record.records import sample_of


class _Reader(Items):
    def take(self, place: str, record: dict[str, Any]) -> None:
        if _is_header(record):
            session = self.session
            session.id = str_or_none(record.get("id")) or session.id
            self.clock(record.get("timestamp"))
            session.ended_at = None
            self.place(dict_of(record.get("git")), branch="git branch")
        elif "type" in record:
            self.item(place, record, None)
        elif not _is_state(record):
            self.log.add(place, "record without a type; skipped")


class CodexLegacy(RecordFormat):
    """Sessions of Codex before records had a type and a payload."""

    reader = _Reader

    def is_own(self, value: object) -> bool:
        """Whether a record is a header or an item."""
        return "type" in dict_of(value) or _is_header(dict_of(value))

    def sniff(self, document: Document) -> bool:
        """Whether the document opens with the header of such a session or has its state lines."""
        sample = [dict_of(value) for value in sample_of(document)]
        return bool(sample) and (_is_header(sample[0]) or any(map(_is_state, sample)))


FORMAT = described(__file__, CodexLegacy)


def _is_header(record: dict[str, Any]) -> bool:
    return {"id", "timestamp", "instructions"} <= set(record) and "type" not in record and "role" not in record


def _is_state(record: dict[str, Any]) -> bool:
    return record.get("record_type") == "state" and "type" not in record
