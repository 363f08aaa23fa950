"""Sessions of Kimi CLI and Kimi Code: the wire file, which has times and flags, or the context, which has neither."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.container.document import Document
from analyzer.formats.kimi.code_wire import is_code_record, take_record
from analyzer.formats.kimi.context import is_mark, take_message
from analyzer.formats.kimi.recorder import Recorder
from analyzer.formats.kimi.wire import Wire, is_event, is_known_event
from analyzer.formats.record.records import records_of, sample_of, take_time
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, Session


class Kimi:
    """Reads one session per file."""

    name = "kimi"
    title = "Kimi CLI, Kimi Code"
    versions = "contexts of October 2025; the wire of Kimi CLI as published, records of Kimi Code 1.4"
    not_recorded: tuple[str, ...] = (
        "cost",
        "whether the work was handed in as done",
        "times, model and tokens (contexts)",
    )

    def sniff(self, document: Document) -> bool:
        """Whether one of the first records has marks, events or types that only Kimi writes."""
        sample = sample_of(document, 12)
        return any(map(_is_kimis, sample))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the one session."""
        warnings: list[ReadWarning] = []
        session = Session(document.stem, agent="Kimi CLI", warnings=warnings)
        recorder = Recorder(session)
        wire, known = Wire(recorder), 0
        for record in records_of(document, warnings):
            value = record.value
            if is_event(value):
                wire.take(record.place, value)
            elif "role" in value:
                take_message(recorder, record.place, value)
            elif isinstance(value.get("type"), str) and ("time" in value or value["type"] == "metadata"):
                session.agent = "Kimi Code" if is_code_record(value) else session.agent
                if value["type"] == "metadata":
                    take_time(session, value.get("created_at"))
                else:
                    take_record(recorder, record.place, value)
            else:
                recorder.log.add(record.place, "no record of Kimi; skipped")
            known += _is_kimis(value)
        if not known:
            raise UnreadableInput("holds no session of Kimi.", where=document.name)
        recorder.close()
        yield session


FORMAT = Kimi()
"""The object that the registry lists."""


def _is_kimis(value: object) -> bool:
    return is_mark(value) or is_known_event(value) or is_code_record(value)
