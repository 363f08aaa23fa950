"""The records of formats that write one after another: as JSON lines, as one list, or as a list within one object; with
a file of facts beside them, or as a tree.

How long a call took is what a record says of it: a duration, or the times at which the call itself began and ended.
Else it's the time from the end of the answer that asks for the call to the result. The time at which an answer *began*
says nothing of its calls: what passed since is the model's time. docs/times.md says what the times of each format mean.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from analyzer.formats.container.document import HEAD_RECORDS, MISSING, Document, Record
from analyzer.formats.record.fields import dict_of, float_or_none, name_or_none
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, ToolCall, ToolResult
from analyzer.model.struct import replace
from analyzer.model.words import BRANCH


def records_of(document: Document, warnings: list[ReadWarning], key: str | None = None) -> Iterator[Record]:
    """Yield the document's records: its JSON lines, the elements of its one list or of the list under `key` in its one
    object, or this object."""
    value = document.value
    if value is MISSING:
        yield from document.records(warnings)
    else:
        yield from document.records_in(_listed(value, key), warnings)


def sample_of(document: Document, most: int = HEAD_RECORDS, key: str | None = None) -> list[Any]:
    """Return the first records of a document, for sniffing."""
    value = document.value
    if value is MISSING:
        return [record.value for record in document.head[:most]]
    return _listed(value, key)[:most]


def _listed(value: Any, key: str | None) -> list[Any]:
    inner = value.get(key) if key is not None and isinstance(value, dict) else value
    return inner if isinstance(inner, list) else [value]


_MILLISECONDS = ("durationMs", "duration_ms", "tookMs", "took_ms", "elapsedMs", "elapsed_ms")


def recorded_duration(details: Mapping[str, Any]) -> float | None:
    """How many seconds a call took, where what is recorded beside its result says so."""
    spans = (float_or_none(details.get(key)) for key in _MILLISECONDS)
    return next((span / 1000 for span in spans if span is not None and span >= 0), None)


def since_answer_began(call: ToolCall, result: ToolResult) -> None:
    """Note that a call has the time at which the answer around it began. With a recorded duration the call began that
    long before its result; else nothing is known of how long it took, and the result's time, which would tell only the
    model's time and the tool's together, is dropped."""
    if result.time is None:
        return
    if result.duration is not None:
        call.time = max(result.time - result.duration, call.time if call.time is not None else 0.0)
    else:
        result.time = None


_LINES = ".jsonl"
Json = dict[str, Any]


def opened(document: Document, beside: str) -> tuple[Document, dict[str, object]]:
    """The document of the lines, and the facts beside it; of one file alone there are none."""
    if document.bundle is None:
        return document, {}
    names = document.bundle.names
    lines = next((name for name in names if name.endswith(_LINES) and len(names) <= 2), None)
    if lines is None:
        return document, {}
    facts = lines.removesuffix(_LINES) + beside
    try:
        value = document.member(facts).value if facts in names else None
        return document.member(lines), dict_of(value)
    except UnreadableInput:
        return document.member(lines), {}


def path_to(last: Json, records: Sequence[Json], own: str, above: str) -> list[Json]:
    """The records from the first one to the last, each of which names the one before it; `own` and `above` as below."""
    known = {str(record[own]): record for record in records if record.get(own) is not None}
    path: dict[str, Json] = {}
    record: Json | None = last
    while record is not None and str(record[own]) not in path:
        path[str(record[own])] = record
        record = known.get(str(record.get(above)))
    return list(path.values())[::-1]


def in_branches(records: Sequence[Record], own: str, above: str, ends: Callable[[Json], bool]) -> list[Record]:
    """The records in file order, those that aren't on the path to the last one with the branch that they lie on as
    their lane.

    `own` and `above` are the keys of a record's id and of the id of the one before it. A record without an id belongs
    to every path. Where the one before isn't there (its line is damaged), the record that stands before takes its
    place. `ends` says which records may be the last; those behind it only note something, and are kept. Where most ids
    are the same text (a store put it in place of them), nothing is known of branches, and all records are kept.
    """
    place_of: dict[str, int] = {}
    for place, record in enumerate(records):
        if (name := name_or_none(record.value.get(own))) is not None:
            place_of.setdefault(name, place)
    if 2 * len(place_of) <= sum(name_or_none(record.value.get(own)) is not None for record in records):
        return list(records)
    last = [place for place in place_of.values() if ends(records[place].value)]
    place = max(last or place_of.values(), default=-1)
    path = set(range(place + 1, len(records)))
    while place >= 0 and place not in path:
        path.add(place)
        record = records[place].value
        before = name_or_none(record.get(above))
        if before is None and above in record:
            break
        known = place_of.get(before) if before is not None else None
        named = (one for one in range(place - 1, -1, -1) if name_or_none(records[one].value.get(own)))
        place = known if known is not None and known < place else next(named, -1)
    on_path = {name_or_none(records[place].value.get(own)) for place in path}
    lanes = branch_lanes((record.value for record in records), on_path, own, above)
    return [replace(record, lane=lane) for record, lane in zip(records, lanes, strict=True)]


def branch_lanes(records: Iterable[Json], path: Collection[str | None], own: str, above: str) -> Iterator[str]:
    """The lane of each record: empty for those whose id is on the path and those without an id, else the branch that
    leaves the path before it."""
    lane_of: dict[str | None, str] = dict.fromkeys((*path, None), "")
    branches = count(1)
    for record in records:
        name = name_or_none(record.get(own))
        if name not in lane_of:
            lane_of[name] = lane_of.get(name_or_none(record.get(above))) or f"{BRANCH}{next(branches)}"
        yield lane_of[name]
