"""OpenHands V1 (software agent SDK): an array or JSON lines of events, a `trajectory.json` that describes them, or the
output of a benchmark, one evaluated instance per line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from analyzer.formats.container.document import Document, Record
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.loading.mapping.values import string_at
from analyzer.formats.openhands.events import Reader, events_in, is_event, is_header
from analyzer.formats.openhands.reader import AGENT, instances, take_verdict
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.records import sample_of
from analyzer.model.session import ReadWarning, Session
from analyzer.text.late import late

_CONVERSATION_ID = late(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")


class OpenHandsSdkFormat(SessionsFormat):
    """Reads one conversation, or one instance of a benchmark, as one session."""

    def is_own(self, value: object) -> bool:
        """Whether a value is an event, an evaluated instance, or a conversation, perhaps without its events."""
        about = dict_of(value)
        return is_event(value) or _is_instance(about) or is_header(about) or _holds(about, "events")

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The recorded conversation, or the evaluated instances."""
        value = document.value
        if any(map(_is_instance, sample_of(document, 5))):
            yield from (_instance(document, one) for one in instances(document, log, "instance_id", "history"))
            return
        header = value if isinstance(value, dict) and not is_event(value) else {}
        events = events_in(document, log.damage)
        if not is_header(header) and not any(is_event(event) for _, event in events):
            return
        folder = PurePath(document.name).parent.name
        reader = Reader(Session(folder if _CONVERSATION_ID.fullmatch(folder) else document.stem, agent=AGENT))
        reader.header(header)
        for place, event in events:
            reader.event(place, event)
        reader.close()
        if header and not events:
            count = int_or_none(header.get("eventCount"))
            events_of = "the events" if count is None else f"the {count} events"
            what = f"{events_of} are recorded in a separate file; read that one for the steps"
            reader.session.warnings.append(ReadWarning("eventCount", what))
        yield reader.session


FORMAT = described(__file__, OpenHandsSdkFormat)


def _holds(value: dict[str, Any], key: str) -> bool:
    return any(map(is_event, list_of(value.get(key))[:5]))


def _is_instance(value: object) -> bool:
    return "instance_id" in dict_of(value) and _holds(dict_of(value), "history")


def _instance(document: Document, record: Record) -> Session:
    value = record.value
    reader = Reader(Session(str_or_none(value["instance_id"]) or f"{document.stem}:{record.line}", agent=AGENT))
    session = reader.session
    session.model = string_at(value, "metadata.llm.model")
    for index, event in enumerate(value["history"]):
        reader.event(f"{record.place}, event {index}", event)
    if metrics := dict_of(value.get("metrics")):
        reader.use({"agent": metrics})
    reader.close()
    session.task = session.task or issue_of(text_of(value.get("instruction"))) or None
    take_verdict(session, value)
    return session
