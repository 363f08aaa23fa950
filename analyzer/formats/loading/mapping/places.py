"""Where the records of an unknown log may be: its lines, its lists however deep, objects within its lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.jsontext import NotJson, loads
from analyzer.formats.loading.mapping import words
from analyzer.formats.loading.mapping.rows import object_in
from analyzer.model.mapping import LogRule
from analyzer.text.expressions import compiled

_DEEPEST, _LOOKED_AT, _LINES = 5, 20, 60
_COLUMN = compiled(r"[A-Za-z_@][\w .@-]{0,40}")


def places(document: Document) -> Iterator[LogRule]:
    """Yield the places, the nearest to the top first."""
    if document.value is not MISSING:
        yield from _in_value(document.value)
        return
    lines = [line for line in islice(document.text.splitlines(), _LINES) if line.strip()]
    values = [value for line in lines if (value := _json(line)) is not MISSING]
    if len(values) >= max(1, len(lines) // 2):
        yield from _in_value(values)
    elif sum(object_in(line) is not None for line in lines) >= 2:
        yield LogRule(embedded=True)


def _json(line: str) -> Any:
    try:
        return loads(line.encode("utf-8", "surrogatepass"))
    except NotJson:
        return MISSING


def _in_value(value: Any) -> Iterator[LogRule]:
    """The places in a document of one value; those in its one list are named from each entry on."""
    if isinstance(value, list):
        first = value[:_LOOKED_AT]
        if any(isinstance(item, dict) for item in first):
            yield LogRule()
        elif columns := _columns(first, {}):
            yield LogRule(columns=columns)
        yield from _unlike(LogRule(records=paths) for paths in _siblings(first, "", 1))
        yield from _unlike(LogRule(records=path, columns=columns) for path, columns in _below(first, "", 1))
    elif isinstance(value, dict):
        yield from _unlike(LogRule(records=paths) for paths in _siblings([value], "", 0))
        yield from _unlike(LogRule(records=path, columns=columns) for path, columns in _below([value], "", 0))


def _unlike(rules: Iterator[LogRule]) -> Iterator[LogRule]:
    seen: set[LogRule] = set()
    for rule in rules:
        if rule not in seen:
            seen.add(rule)
            yield rule


def _below(items: Sequence[Any], prefix: str, depth: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The lists of objects, and of lists with columns, below some objects of the same kind."""
    objects = [item for item in items if isinstance(item, dict)]
    if depth >= _DEEPEST or not objects:
        return
    for name in dict.fromkeys(str(name) for item in objects for name in item if "." not in str(name)):
        inner = [item[name] for item in objects if name in item]
        path = f"{prefix}{name}"
        listed = [entry for value in inner if isinstance(value, list) for entry in value[:_LOOKED_AT]]
        if any(isinstance(entry, dict) for entry in listed):
            yield f"{path}[]", ()
            yield from _below(listed[:_LOOKED_AT], f"{path}[].", depth + 1)
        elif columns := _columns(listed, objects[0]):
            yield f"{path}[]", columns
        nested = [value for value in inner if isinstance(value, dict)]
        if nested:
            yield from _below(nested, f"{path}.", depth + 1)
    yield from _keyed(objects, prefix, depth)


def _siblings(items: Sequence[Any], prefix: str, depth: int) -> Iterator[tuple[str, ...]]:
    """Lists of calls and lists of results beside each other in some objects of the same kind, with the other lists of
    records there: first the calls, then the results."""
    objects = [item for item in items if isinstance(item, dict)]
    if depth >= _DEEPEST or not objects:
        return
    lists: dict[str, list[Any]] = {}
    for item in objects:
        for name, inner in item.items():
            if isinstance(inner, list) and "." not in str(name) and any(isinstance(entry, dict) for entry in inner):
                lists.setdefault(str(name), []).extend(inner[:_LOOKED_AT])
    replies = [name for name in lists if words.REPLIES.search(name)]
    calls = [name for name in lists if words.CALLS.search(name) and name not in replies]
    if calls and replies:
        others = [name for name in lists if name not in (*calls, *replies)]
        yield tuple(f"{prefix}{name}[]" for name in (*calls, *replies, *others))
    for name, listed in lists.items():
        yield from _siblings(listed[:_LOOKED_AT], f"{prefix}{name}[].", depth + 1)
    for name in dict.fromkeys(str(name) for item in objects for name in item if "." not in str(name)):
        nested = [item[name] for item in objects if isinstance(item.get(name), dict)]
        yield from _siblings(nested, f"{prefix}{name}.", depth + 1)


def _keyed(objects: Sequence[dict[str, Any]], prefix: str, depth: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Objects whose keys are names of entries: their values are all of one kind."""
    values = [value for item in objects for value in list(item.values())[:_LOOKED_AT]]
    around = prefix.removesuffix(".")
    if len(values) < 2:
        return
    if all(isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value) for value in values):
        listed = [entry for value in values for entry in value]
        yield f"{around}{{}}[]", ()
        yield from _below(listed[:_LOOKED_AT], f"{around}{{}}[].", depth + 1)
    elif all(isinstance(value, dict) and value for value in values) and _alike(values):
        yield f"{around}{{}}", ()
        yield from _below(values, f"{around}{{}}.", depth + 1)


def _alike(values: Sequence[dict[str, Any]]) -> bool:
    return len({frozenset(value) for value in values}) <= max(1, len(values) // 2)


def _columns(rows: Sequence[Any], around: dict[str, Any]) -> tuple[str, ...]:
    """The names of the entries of lists: a first row of names, a list of as many names beside them, or numbers."""
    if len(rows) < 2 or not all(isinstance(row, list) and len(row) >= 2 for row in rows):
        return ()
    width = max(map(len, rows))
    beside = (value for value in around.values() if isinstance(value, list) and len(value) == width)
    named = next((value for value in (rows[0], *beside) if _names(value)), None)
    return tuple(named) if named is not None else tuple(map(str, range(width)))


def _names(row: Sequence[Any]) -> bool:
    texts = [entry for entry in row if isinstance(entry, str) and _COLUMN.fullmatch(entry)]
    return len(texts) == len(row) == len(set(texts))
