"""Finding a value in a record by its key, and telling whether a record fulfils a condition."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from analyzer.formats.record.fields import dict_of, json_or_none

_LONGEST_WORD = 200


def value_at(value: Any, path: str) -> Any:
    """Return what stands at a path of keys joined by dots; None where nothing does.

    A key that itself holds dots is found as well, a number names an entry of a list, and a JSON text is looked into.
    """
    if isinstance(value, str):
        value = json_or_none(value) if value[:1] in ("{", "[") else None
    if isinstance(value, list):
        head, _, rest = path.partition(".")
        inner = value[int(head)] if head.isdecimal() and len(head) < 7 and int(head) < len(value) else None
        return value_at(inner, rest) if rest else inner
    if not isinstance(value, dict):
        return None
    if path in value:
        return value[path]
    at = path.find(".")
    while at >= 0:
        if path[:at] in value and (found := value_at(value[path[:at]], path[at + 1 :])) is not None:
            return found
        at = path.find(".", at + 1)
    return None


def holds(record: Any, condition: Mapping[str, object]) -> bool:
    """Whether the record fulfils every part of the condition."""
    return all(_fulfils(value_at(record, key), wanted) for key, wanted in condition.items())


def _fulfils(value: Any, wanted: object) -> bool:
    if isinstance(wanted, bool):
        return value == wanted if isinstance(value, bool) else (value is not None) == wanted
    text = word_of(value)
    patterns = wanted if isinstance(wanted, list | tuple) else [wanted]
    return text is not None and any(fnmatchcase(text, str(pattern)) for pattern in patterns)


def word_of(value: Any) -> str | None:
    """Return a short text, a number or a truth value as a text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return value if isinstance(value, str) and 0 < len(value) <= _LONGEST_WORD else None


def is_object(value: Any) -> bool:
    """Whether the value is an object, or a JSON text of one."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        value = json_or_none(value)
    return bool(dict_of(value)) or value == {}
