"""The keys and words that a mapping names and a log doesn't have: what was mistyped, or written for other logs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.mapping.rows import rows
from analyzer.formats.loading.mapping.values import fulfils, word_of
from analyzer.formats.record.fields import json_or_none
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.mapping import LogMapping
from analyzer.model.rules import Condition

_DEEPEST = 24
_SAID = {"prefix", "tool", "agent", "role", "mark", "failed", "succeeded", "exit_text", "harness_prefix", "ends"}
"""What rules say themselves, rather than by a key of the log."""
_TABLES = ("log", "call", "result", "message", "usage", "rules")
_OF_LOG = {"records", "embedded", "columns", "order", "leaves"}
_OF_RULES = {"form", "warn", "hook", "endings", "details", "otherwise", "ending"}
_OPTIONAL = {"aside", "unless"}


def unused(mapping: LogMapping, document: Document) -> Iterator[str]:
    """The keys of a mapping that nothing in the document has, and the conditions' words that no value there is, each
    as a sentence that begins with its place in the mapping."""
    if mapping.format is None:
        found = rows(document, mapping.log, WarningLog())
        seen = _words(value for row in found for value in (row.value, *row.around))
    elif document.value is MISSING:
        seen = _words(record.value for record in document.records([]))
    else:
        seen = _words([document.value])
    tables = mapping.model_dump(exclude_defaults=True, include=set(_TABLES))
    yield from dict.fromkeys(_missing(tables, "", seen))


def _words(values: Iterable[Any]) -> dict[str, set[str]]:
    """The keys of all objects within values, with the short texts and numbers that stand there."""
    seen: dict[str, set[str]] = defaultdict(set)
    waiting = [(value, 0) for value in values]
    while waiting:
        value, depth = waiting.pop()
        value = json_or_none(value) if isinstance(value, str) and value[:1] in ("{", "[") else value
        if depth > _DEEPEST:
            continue
        if isinstance(value, dict):
            for key, inner in value.items():
                seen[str(key)].update(filter(None, [word_of(inner)]))
            value = list(value.values())
        if isinstance(value, list):
            waiting += ((inner, depth + 1) for inner in value)
    return seen


def _missing(table: Mapping[str, Any], place: str, seen: Mapping[str, set[str]]) -> Iterator[str]:
    for name, value in table.items():
        at = f"{place}.{name}".removeprefix(".")
        if name in _SAID or name in _OF_RULES or name in _OPTIONAL or (place == "log" and name in _OF_LOG):
            continue
        if name == "when":
            yield from _unfulfilled(value, at, seen)
        elif name == "each":
            yield from (f"{at}: nothing has the key {key!r}" for key in value if not _known(key, seen))
        elif isinstance(value, dict):
            yield from _missing(value, at, seen)
        elif isinstance(value, list | tuple) and value and isinstance(value[0], dict):
            for number, inner in enumerate(value, 1):
                yield from _missing(inner, f"{at} {number}", seen)
        elif isinstance(value, str) and not _known(value, seen):
            yield f"{at}: nothing has the key {value!r}"
        elif isinstance(value, list | tuple) and value and not any(_known(key, seen) for key in value):
            yield f"{at}: nothing has any of the keys {', '.join(map(repr, value))}"


def _unfulfilled(condition: Condition, place: str, seen: Mapping[str, set[str]]) -> Iterator[str]:
    for key, wanted in condition.items():
        options = wanted if isinstance(wanted, list) else [wanted]
        if False in options:
            continue
        if not _known(key, seen):
            yield f"{place}: nothing has the key {key!r}"
            continue
        words = seen.get(_last(key))
        for one in options if words is not None else ():
            if isinstance(one, str) and one[:1] != "@" and not any(fulfils(word, one) for word in words or ()):
                yield f"{place}: {key!r} is nowhere {one!r}"


def _last(path: str) -> str:
    return path.lstrip("^").replace("[]", "").replace("{}", "").rpartition(".")[2]


def _known(path: str, seen: Mapping[str, set[str]]) -> bool:
    """Whether the log has a key of the name with which the path ends; those that the program sets count as there."""
    last = _last(path)
    return not last or last.isdecimal() or last[0] == "@" or last in seen or path in seen
