"""Sessions of Kimi CLI and Kimi Code: the wire file, which has times and flags, or the context, which has neither."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.container.document import Document
from analyzer.formats.kimi.code_wire import is_code_record, take_record
from analyzer.formats.kimi.context import is_mark, take_message
from analyzer.formats.kimi.recorder import Recorder
from analyzer.formats.kimi.wire import Wire, is_event, is_known_event
from analyzer.formats.record.records import records_of, take_time
from analyzer.formats.record.sessions import FileLog, SessionsFormat
from analyzer.model.session import Session


class Kimi(SessionsFormat):
    """Reads one session per file."""

    name = "kimi"
    title = "Kimi CLI, Kimi Code"
    versions = "contexts of October 2025; the wire of Kimi CLI as published, records of Kimi Code 1.4"
    not_recorded = ("cost", "whether the work was handed in as done", "times, model and tokens (contexts)")
    nothing = "session of Kimi"
    looked_at = 12

    def is_own(self, value: object) -> bool:
        """Whether a record has marks, events or types that only Kimi writes."""
        return is_mark(value) or is_known_event(value) or is_code_record(value)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session."""
        session = Session(document.stem, agent="Kimi CLI")
        recorder = Recorder(session)
        wire, known = Wire(recorder), False
        for record in records_of(document, log.damage):
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
            known = known or self.is_own(value)
        recorder.close()
        if known:
            yield session


FORMAT = Kimi()
"""The object that the registry lists."""
