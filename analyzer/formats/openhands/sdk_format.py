"""OpenHands V1 (software agent SDK): an array or JSON lines of events, or a `trajectory.json` that describes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from analyzer.formats.container.document import MISSING, Document, Record
from analyzer.formats.openhands.events import AGENT, Reader, is_event, is_header
from analyzer.formats.record.fields import int_or_none, list_of
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, Session

_CONVERSATION_ID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")


class OpenHandsSdkFormat:
    """Reads one conversation as one session."""

    name = "openhands-sdk"
    title = "OpenHands SDK (V1 events)"
    versions = "V1 events"
    not_recorded: tuple[str, ...] = ("time zone", "durations")

    def sniff(self, document: Document) -> bool:
        """Whether the document holds SDK events, or describes a conversation whose events are stored elsewhere."""
        value = document.value
        if value is MISSING:
            return any(is_event(record.value) for record in document.head[:5])
        if isinstance(value, list):
            return any(map(is_event, value[:5]))
        return isinstance(value, dict) and (is_header(value) or is_event(value) or _holds_events(value))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the recorded conversation."""
        value = document.value
        warnings: list[ReadWarning] = []
        header: dict[str, Any] = {}
        events: Iterable[tuple[str, Any]]
        if value is MISSING:
            records: Iterable[Record] = document.records(warnings)
            events = [(record.place, record.value) for record in records]
        elif isinstance(value, dict) and not is_event(value):
            header = value
            events = _placed(list_of(value.get("events")))
        else:
            events = _placed(value if isinstance(value, list) else [value])
        if not is_header(header) and not any(is_event(event) for _, event in events):
            raise UnreadableInput("holds no events of the OpenHands SDK.", where=document.name)
        reader = Reader(Session(id=_name(document), agent=AGENT, warnings=warnings))
        reader.header(header)
        for place, event in events:
            reader.event(place, event)
        reader.close()
        if header and not events:
            count = int_or_none(header.get("eventCount"))
            what = (
                f"the {'' if count is None else f'{count} '}events are recorded in a separate file; read that one "
                "for the steps"
            )
            reader.session.warnings.append(ReadWarning("eventCount", what))
        yield reader.session


FORMAT = OpenHandsSdkFormat()
"""The object that the registry lists."""


def _name(document: Document) -> str:
    """Return the conversation's id where the folder is called by it, else the file's name."""
    folder = PurePath(document.name).parent.name
    return folder if _CONVERSATION_ID.fullmatch(folder) else document.stem


def _holds_events(value: dict[str, Any]) -> bool:
    return any(map(is_event, list_of(value.get("events"))[:5]))


def _placed(events: list[Any]) -> list[tuple[str, Any]]:
    return [(f"event {index}", event) for index, event in enumerate(events)]
