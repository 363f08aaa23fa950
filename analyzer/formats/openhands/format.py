"""OpenHands V0: an array of events, or an evaluation's `output.jsonl` with one instance and its `history` per line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.loading.mapping.values import string_at, word_at
from analyzer.formats.openhands.reader import AGENT, instances
from analyzer.formats.openhands.v0_events import Reader
from analyzer.formats.record.fields import dict_of, list_of, str_or_none
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.records import sample_of
from analyzer.model.session import Session


class OpenHandsFormat(SessionsFormat):
    """Reads one session per event array or per evaluated instance."""

    def is_own(self, value: object) -> bool:
        """Whether a value is an event, or an evaluated instance with its history."""
        beside = any(key in dict_of(value) for key in ("source", "args", "extras", "cause"))
        return (beside and _is_bare_event(value)) or _is_instance(value)

    def sniff(self, document: Document) -> bool:
        """Whether the document holds such values; one event alone is none."""
        return super().sniff(document) and (not isinstance(document.value, dict) or _is_instance(document.value))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The recorded runs: one per line of an evaluation's output, else one."""
        value = document.value
        if value is MISSING and any(map(_is_instance, sample_of(document))):
            for line in instances(document, log, "history"):
                yield _read(f"{document.stem}:{line.line}", line.value, f"{line.place}, ")
            return
        events = [line.value for line in document.records(log.damage)] if value is MISSING else value
        record = value if isinstance(value, dict) else {"history": events}
        if "history" in record and (record is value or any(map(_is_bare_event, _flat(events)))):
            yield _read(document.stem, record, "")


FORMAT = described(__file__, OpenHandsFormat)


def _is_bare_event(record: object) -> bool:
    event = {} if "role" in dict_of(record) else dict_of(record)
    return isinstance(event.get("action"), str) or isinstance(event.get("observation"), str)


def _is_instance(record: object) -> bool:
    if not isinstance(record, dict) or "history" not in record:
        return False
    events = _flat(record["history"])
    verdict = "instance_id" in record and ("test_result" in record or "metrics" in record)
    return any(map(_is_bare_event, events[:5])) if events else verdict


def _flat(history: object) -> list[Any]:
    """Return the events; the oldest evaluations wrote pairs of action and observation."""
    return [event for item in list_of(history) for event in (item if isinstance(item, list) else [item])]


def _read(name: str, record: dict[str, Any], place: str) -> Session:
    owner, repository, number = (word_at(record, f"issue.{key}") for key in ("owner", "repo", "number"))
    if owner and repository and number:
        name = f"{owner}/{repository}#{number}"
    session = Session(id=str_or_none(record.get("instance_id")) or name, agent=AGENT)
    session.model = string_at(record, "metadata.llm_config.model")
    reader = Reader(session)
    for where, event in reader.log.objects(_flat(record.get("history")), f"{place}history[{{}}]", "an event", 0):
        reader.event(event, where)
    reader.close()
    session.task = session.task or issue_of(str_or_none(record.get("instruction")) or "") or None
    reader.use(dict_of(record.get("metrics")) or reader.metrics)
    reader.end(record)
    return session
