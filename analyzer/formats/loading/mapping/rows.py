"""The records of a log as its mapping finds them: lines, entries of lists however deep, objects within lines of text,
and lists with columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.jsontext import NotJson, loads
from analyzer.formats.record.fields import object_in
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.mapping import LogRule
from analyzer.model.struct import Struct
from analyzer.text.late import late

KEY_OF_OBJECT, TIME_OF_LINE, LIST_OF_RECORD = "@key", "@time", "@list"
_STAMP = late(
    r"\A\W?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:([.,]\d{1,9}))?(Z|[+-]\d\d:?\d\d)?|\A\W?(\d{10}(?:\.\d{1,6})?)\b"
)
_MOST_LISTED = 50
_MOST_BRACES, _LONGEST = 5, 1 << 20


class Row(Struct, frozen=True):
    """One record, with its place and the objects around it, the nearest first."""

    place: str
    value: dict[str, Any]
    around: tuple[dict[str, Any], ...] = ()


def rows(document: Document, rule: LogRule, log: WarningLog) -> Iterator[Row]:
    """Yield the records that the rule names, of several lists one list after another. What is none is counted in the
    log."""
    several, columns = not isinstance(rule.records, str), list(rule.columns)
    for place, value in _units(document, rule, log):
        for path in paths_of(rule):
            name = path.rpartition(".")[2].removesuffix("[]").removesuffix("{}")
            for row_place, inner, around in _walk(place, value, _steps(path), ()):
                listed = columns and isinstance(inner, list) and inner != columns
                found = dict(zip(columns, inner, strict=False)) if listed else inner
                if isinstance(found, dict):
                    yield Row(row_place, {**found, LIST_OF_RECORD: name} if several else found, around)
                elif found != columns:
                    log.wrong_type(row_place, found, "a record")


def first_rows(document: Document, rule: LogRule, most: int) -> Iterator[Row]:
    """Yield the first records, so many of each place."""
    if isinstance(rule.records, str):
        yield from islice(rows(document, rule, WarningLog()), most)
        return
    counts: Counter[str] = Counter()
    for row in islice(rows(document, rule, WarningLog()), _MOST_LISTED * most):
        name = str(row.value[LIST_OF_RECORD])
        counts[name] += 1
        if counts[name] <= most:
            yield row


def paths_of(rule: LogRule) -> tuple[str, ...]:
    """The places of the records."""
    return (rule.records,) if isinstance(rule.records, str) else rule.records


def _units(document: Document, rule: LogRule, log: WarningLog) -> Iterator[tuple[str, Any]]:
    """The JSON values of the document with their places: each line, or each entry of its one list, or its one value."""
    if rule.embedded:
        for number, line in enumerate(document.text.splitlines(), 1):
            if value := stamped_object_in(line):
                yield f"line {number}", value
            elif line.strip():
                log.add(f"line {number}", "a line without a JSON object; left out")
    elif document.value is MISSING:
        yield from _lines(document, log)
    elif isinstance(document.value, list) and not any(path.startswith("[") for path in paths_of(rule)):
        yield from ((f"record {number}", item) for number, item in enumerate(document.value, 1))
    else:
        yield "record", document.value


def _lines(document: Document, log: WarningLog) -> Iterator[tuple[str, Any]]:
    lines = document.text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield f"line {number}", loads(line.encode("utf-8", "surrogatepass"))
        except NotJson:
            last = number == len(lines)
            log.add(f"line {number}", "the file ends in the middle of this record" if last else "not JSON; skipped")


def stamped_object_in(line: str) -> dict[str, Any]:
    """Return the first JSON object in a line of text, with the time with which the line begins; empty where there is
    none."""
    value = object_in(line, _MOST_BRACES) if len(line) <= _LONGEST else {}
    stamp = _STAMP.match(line) if value else None
    if stamp is not None and TIME_OF_LINE not in value:
        fraction = (stamp[2] or "").replace(",", ".")
        value[TIME_OF_LINE] = stamp[4] or f"{stamp[1]}{fraction}{stamp[3] or ''}"
    return value


def _steps(path: str) -> list[tuple[str, str]]:
    """A path as keys, each with `[]`, `{}` or nothing behind it."""
    found: list[tuple[str, str]] = []
    for part in filter(None, path.split(".")):
        name, sort = part, ""
        while name.endswith(("[]", "{}")):
            name, sort = name[:-2], name[-2:] + sort
        found.append((name, sort[:2]))
        found += [("", sort[at : at + 2]) for at in range(2, len(sort), 2)]
    return found


def _walk(
    place: str, value: Any, steps: list[tuple[str, str]], around: tuple[dict[str, Any], ...]
) -> Iterator[tuple[str, Any, tuple[dict[str, Any], ...]]]:
    if not steps:
        yield place, value, around
        return
    (name, sort), rest = steps[0], steps[1:]
    if isinstance(value, dict):
        around = (value, *around)
    inner = value if not name else value.get(name) if isinstance(value, dict) else None
    at = f"{place}, {name}" if name else place
    if sort == "[]":
        for number, item in enumerate(inner if isinstance(inner, list) else [], 1):
            yield from _walk(f"{at} {number}", item, rest, around)
    elif sort == "{}":
        for key, item in (inner if isinstance(inner, dict) else {}).items():
            yield from _walk(f"{at} {key[:40]!r}", item, rest, ({KEY_OF_OBJECT: key}, *around))
    elif inner is not None:
        yield from _walk(at, inner, rest, around)
