"""Where the records of an unknown log may be: its lines, its lists however deep, objects within its lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.jsontext import loads_or
from analyzer.formats.loading.mapping import words
from analyzer.formats.loading.mapping.rows import stamped_object_in
from analyzer.model.mapping import LogRule
from analyzer.text.late import late

_DEEPEST, _LOOKED_AT, _LINES = 5, 20, 60
_COLUMN = late(r"[A-Za-z_@][\w .@-]{0,40}")


def places(document: Document) -> Iterator[LogRule]:
    """Yield the places, the nearest to the top first."""
    if document.value is not MISSING:
        yield from _in_value(document.value)
        return
    lines = [line for line in islice(document.text.splitlines(), _LINES) if line.strip()]
    values = [
        value for line in lines if (value := loads_or(line.encode("utf-8", "surrogatepass"), MISSING)) is not MISSING
    ]
    if len(values) >= max(1, len(lines) // 2):
        yield from _in_value(values)
    elif sum(bool(stamped_object_in(line)) for line in lines) >= 2:
        yield LogRule(embedded=True)


def _in_value(value: Any) -> Iterator[LogRule]:
    """The places in a document of one value; those in its one list are named from each entry on."""
    first, depth = ([value], 0) if isinstance(value, dict) else (value[:_LOOKED_AT], 1)
    if depth and any(isinstance(item, dict) for item in first):
        yield LogRule()
    elif depth and (columns := _columns(first, {})):
        yield LogRule(columns=columns)
    groups = list(_groups(first, "", depth))
    rules = [LogRule(records=paths) for prefix, objects in groups for paths in _siblings(prefix, objects)]
    for prefix, objects in groups:
        for path, entries in _below(prefix, objects):
            if path.endswith(("[]", "{}")) and any(isinstance(entry, dict) for entry in entries):
                rules.append(LogRule(records=path))
            elif path.endswith("[]") and (columns := _columns(entries, objects[0])):
                rules.append(LogRule(records=path, columns=columns))
    yield from dict.fromkeys(rules)


def _groups(items: Sequence[Any], prefix: str, depth: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Objects of the same kind with the beginning of the paths below them: the ones given, then those below them."""
    objects = [item for item in items if isinstance(item, dict)]
    if depth < _DEEPEST and objects:
        yield prefix, objects
        for path, entries in _below(prefix, objects):
            yield from _groups(entries, f"{path}.", depth + 1)


def _below(prefix: str, objects: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[Any]]]:
    """What lies in some objects of the same kind: the entries of their lists, their objects, and the values of objects
    whose keys are names of entries, so that their values are all of one kind."""
    for name in dict.fromkeys(str(name) for item in objects for name in item if "." not in str(name)):
        inner = [item[name] for item in objects if name in item]
        listed = [entry for value in inner if isinstance(value, list) for entry in value[:_LOOKED_AT]]
        yield f"{prefix}{name}[]", listed
        yield f"{prefix}{name}", [value for value in inner if isinstance(value, dict)]
    values = [value for item in objects for value in list(item.values())[:_LOOKED_AT]]
    keyed = f"{prefix.removesuffix('.')}{{}}"
    if len(values) < 2:
        return
    if all(isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value) for value in values):
        yield f"{keyed}[]", [entry for value in values for entry in value][:_LOOKED_AT]
    elif all(isinstance(value, dict) and value for value in values) and (
        len({frozenset(value) for value in values}) <= max(1, len(values) // 2)  # they're alike
    ):
        yield keyed, values


def _siblings(prefix: str, objects: Sequence[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Lists of calls and lists of results beside each other in some objects of the same kind, with the other lists of
    records there: first the calls, then the results."""
    lists = [
        path
        for path, entries in _below(prefix, objects)
        if path.endswith("[]") and not path.endswith("{}[]") and any(isinstance(entry, dict) for entry in entries)
    ]
    named = {path: path[len(prefix) : -2] for path in lists}
    replies = [path for path, name in named.items() if words.SAYS["replies"].search(name)]
    calls = [path for path, name in named.items() if words.SAYS["calls"].search(name) and path not in replies]
    if calls and replies:
        yield (*calls, *replies, *(path for path in lists if path not in (*calls, *replies)))


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
