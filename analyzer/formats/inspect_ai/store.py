"""Where an Inspect log keeps its samples: in one JSON file, or as members of an archive, whole or in chunks.

What repeats is kept once and referred to: long texts as `attachment://<key>`, the messages of model calls as ranges of
a pool.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog
from analyzer.formats.record.fields import dict_of, int_or_none, list_of
from analyzer.model.struct import Struct, field
from analyzer.text.late import late
from analyzer.text.names import in_order

_ATTACHMENT = late(r"(?:attachment|tc)://(.+)")
"""A reference to a text; the first versions wrote `tc://`."""
_HEADERS = ("header.json", "_journal/start.json")
_DEEPEST = 60
_MOST_MESSAGES = 5_000_000
"""How many messages the ranges of one input may name, which is more than any model reads."""


class Stored(Struct):
    """One sample with what it refers to. `events` and `messages` may hold values of any type."""

    place: str
    record: dict[str, Any]
    events: list[Any] = field(default_factory=list)
    messages: list[Any] = field(default_factory=list)
    pool: list[Any] = field(default_factory=list)
    attachments: dict[str, Any] = field(default_factory=dict)

    def resolved(self, value: Any, depth: int = 0) -> Any:
        """Return the value with the texts that it refers to in their places."""
        if isinstance(value, str):
            reference = _ATTACHMENT.fullmatch(value)
            text = self.attachments.get(reference[1]) if reference else None
            return text if isinstance(text, str) else value
        if depth >= _DEEPEST:
            return value
        if isinstance(value, list):
            return [self.resolved(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {key: self.resolved(item, depth + 1) for key, item in value.items()}
        return value

    def numbers(self, references: object) -> list[int]:
        """Return the places in the pool that ranges name, each from its start up to but without its end."""
        found: list[int] = []
        for reference in list_of(references):
            ends = [int_or_none(end) for end in list_of(reference)]
            if len(ends) == 2 and ends[0] is not None and ends[1] is not None and len(found) < _MOST_MESSAGES:
                found += range(max(0, ends[0]), min(ends[1], len(self.pool)))
        return found


_TELLING = {"model": "output", "tool": "function", "span_begin": "id", "step": "action", "sample_init": "sample"}
"""What an event of a kind has, so that it's none of another program's."""


def is_event(value: object) -> bool:
    """Whether the value is an event that only a sample's transcript has."""
    return _TELLING.get(str(dict_of(value).get("event")), "") in dict_of(value)


def is_archive(names: tuple[str, ...]) -> bool:
    """Whether an archive's members are those of an Inspect log."""
    whole = "summaries.json" in names or any(name.startswith("samples/") for name in names)
    return "_journal/start.json" in names or ("header.json" in names and whole)


def header_of(document: Document) -> dict[str, Any]:
    """Return what an archive says about the run as a whole; of an unfinished run, what was known at its start."""
    values = (document.member_value(name, []) for name in _HEADERS if name in document.names)
    return next((value for value in values if isinstance(value, dict)), {})


def members_of(document: Document, log: FileLog) -> Iterator[Stored]:
    """Yield an archive's samples, ordered by id and epoch. One that can't be read is reported and left out."""
    samples = [name for name in document.names if name.startswith("samples/") and name.endswith(".json")]
    whole = [name for name in samples if name.count("/") == 1]
    shells = [name for name in samples if name.endswith("/sample.json") and name.count("/") >= 2]
    for name in sorted(whole + shells, key=in_order):
        value = document.member_value(name, log.damage)
        if isinstance(value, dict):
            yield _chunked(document, name, value, log) if name in shells else whole_sample(name, value)
        elif value is not MISSING:
            log.add(name, "not a sample; skipped")


def whole_sample(place: str, record: dict[str, Any]) -> Stored:
    """Return a sample that is one JSON object. The first versions keep events and texts under `transcript`."""
    transcript, data = dict_of(record.get("transcript")), dict_of(record.get("events_data"))
    events = list_of(record.get("events")) or list_of(transcript.get("events"))
    pool = list_of(data.get("messages")) or list_of(record.get("message_pool"))
    attachments = dict_of(record.get("attachments")) or dict_of(transcript.get("content"))
    return Stored(place, record, events, list_of(record.get("messages")), pool, attachments)


def _chunked(document: Document, name: str, shell: dict[str, Any], log: FileLog) -> Stored:
    """Return a sample that is kept as a shell and sequences of chunks, each named by the number of its first item."""
    folder = name.removesuffix("sample.json")
    attachments = _sequence(document, f"{folder}attachments/", log)
    sample = Stored(name, shell, attachments={str(number): text for number, text in enumerate(attachments)})
    sample.pool = _sequence(document, f"{folder}messages/", log)
    sample.events = _sequence(document, f"{folder}events/", log)
    sample.messages = [sample.pool[number] for number in sample.numbers(shell.get("message_refs"))]
    return sample


def _sequence(document: Document, folder: str, log: FileLog) -> list[Any]:
    chunks: dict[int, str] = {}
    for name in document.names:
        number = name.removeprefix(folder).removesuffix(".json")
        if name.startswith(folder) and number.isdecimal() and len(number) < 16:
            chunks[int(number)] = name
    items: list[Any] = []
    for start, name in sorted(chunks.items()):
        if start > len(items):
            log.add(name, "the chunk before this one is missing")
            # References count by position, so what is missing leaves a gap.
            items += [None] * min(start - len(items), 1_000_000)
        items += list_of(document.member_value(name, log.damage))
    return items
