"""What a record of a mapped log says: what stands at its keys, its time, its result, and whether its call failed."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.record.fields import (
    arguments_of,
    count_or_none,
    dict_of,
    float_or_none,
    json_or_none,
    parse_time,
    str_or_none,
    text_of,
)
from analyzer.formats.record.token_counts import cache_apart, of_api
from analyzer.formats.record.warnings import TYPES
from analyzer.model.rules import CallRule, Paths, ResultRule, UsageRule
from analyzer.model.session import Tokens

_LONGEST_WORD = 200
_EVERY = ("[]", "{}")
_TYPES = {f"@{word}": types for word, types in TYPES.items()}


def value_at(value: Any, path: Paths | None) -> Any:
    """Return what stands at a path of keys joined by dots, of several paths at the first at which something does; None
    where nothing does, and without a path.

    A key that itself holds dots is found as well, a number names an entry of a list, `[]` means each of its entries,
    and a JSON text is looked into. Of a row, each `^` before the path stands for the object around it, and `@` for the
    object itself.
    """
    if path is None:
        return None
    if not isinstance(path, str):
        return next((found for one in path if (found := value_at(value, one)) is not None), None)
    depth, name, plain = _way(path)
    if isinstance(value, Row):
        around = value.around
        value = value.value if depth == 0 else around[depth - 1] if depth <= len(around) else None
    if plain and isinstance(value, dict):
        return value.get(name)
    if name == "@keys":
        return ", ".join(sorted(value)) if isinstance(value, dict) else None
    return value if name == "@" else _inner(value, name)


@lru_cache(4096)
def _way(path: str) -> tuple[int, str, bool]:
    """How many objects up a path begins, what follows, and whether that is one key, which stands for itself."""
    name = path.lstrip("^")
    return (
        len(path) - len(name),
        name,
        "." not in name and not any(sign in name for sign in _EVERY) and name not in ("@", "@keys"),
    )


def _inner(value: Any, path: str) -> Any:
    if isinstance(value, str):
        value = json_or_none(value) if value[:1] in ("{", "[") else None
    if isinstance(value, list):
        head, _, rest = path.partition(".")
        inner = value[int(head)] if head.isdecimal() and len(head) < 7 and int(head) < len(value) else None
        return _inner(inner, rest) if rest else inner
    if not isinstance(value, dict):
        return None
    if path in value:
        return value[path]
    if (every := next((sign for sign in _EVERY if sign in path), None)) is not None:
        head, _, rest = path.partition(every)
        items = _inner(value, head)
        items = list(items.values()) if isinstance(items, dict) and every == "{}" else items
        found = [_inner(item, rest[1:]) if rest else item for item in (items if isinstance(items, list) else ())]
        return [item for item in found if item is not None] or None
    at = path.find(".")
    while at >= 0:
        if path[:at] in value and (found := _inner(value[path[:at]], path[at + 1 :])) is not None:
            return found
        at = path.find(".", at + 1)
    return None


def word_at(value: Any, path: Paths | None) -> str | None:
    """Return the short text, number or truth value at a path, as a text."""
    return word_of(value_at(value, path))


def string_at(value: Any, path: Paths | None) -> str | None:
    """Return the text at a path, of several texts there, or at several paths, the first that isn't blank."""
    if isinstance(path, str) and not isinstance(one := value_at(value, path), list):
        return str_or_none(one)
    paths = (path,) if isinstance(path, str) else path or ()
    found = (value_at(value, one) for one in paths)
    texts = (text for inner in found for text in (inner if isinstance(inner, list) else (inner,)))
    return next((text for text in texts if str_or_none(text) is not None), None)


def text_at(value: Any, path: Paths | None) -> str:
    """Return all that is said at a path, of several paths at the first at which something is."""
    if path is None or isinstance(path, str):
        return text_of(value_at(value, path))
    return next((text for one in path if (text := text_of(value_at(value, one)))), "")


def holds(record: Any, condition: Mapping[str, object]) -> bool:
    """Whether the record, or the row, fulfils every part of the condition."""
    for key, wanted in condition.items():  # noqa: SIM110 - asked of every part, where a generator takes as long again
        if not fulfils(value_at(record, key), wanted):
            return False
    return True


def fulfils(value: Any, wanted: object) -> bool:
    """Whether a value is as a condition wants it."""
    if isinstance(wanted, bool):
        return value == wanted if isinstance(value, bool) else (value is not None) == wanted
    if isinstance(wanted, list | tuple):
        return any(fulfils(value, one) for one in wanted)
    if value == wanted:
        return True
    if (kind := _TYPES.get(str(wanted))) is not None:
        return isinstance(value, kind)
    text = word_of(value)
    return text is not None and fnmatchcase(text, str(wanted))


def word_of(value: Any) -> str | None:
    """Return a short text, a number or a truth value as a text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return value if isinstance(value, str) and 0 < len(value) <= _LONGEST_WORD else None


def around_or_own(row: Row, key: Paths | None) -> Any:
    """Return what stands under the key in the record, or in the nearest object around it that has it."""
    found = (value_at(value, key) for value in (row.value, *row.around))
    return next((value for value in found if value is not None), None)


def arguments(record: Any, rule: CallRule) -> dict[str, Any] | str:
    """Return the arguments of a call."""
    if (command := value_at(record, rule.command)) is not None:
        return {"command": " ".join(map(text_of, command)) if isinstance(command, list) else text_of(command)}
    if isinstance(rule.arguments, tuple):
        named = {key.rpartition(".")[2]: value_at(record, key) for key in rule.arguments}
        return {key: value for key, value in named.items() if value is not None}
    given = value_at(record, rule.arguments)
    return {"arguments": given} if isinstance(given, list) else arguments_of(given)


def failed(record: Any, rule: ResultRule) -> bool | None:
    """Return whether the call failed, as the record states it; None where it states nothing."""
    error, success = value_at(record, rule.error), value_at(record, rule.success)
    if isinstance(flag := value_at(record, rule.flag), bool):
        return flag
    if isinstance(error, int | float) or error:
        return bool(error)
    if isinstance(success, bool):
        return not success
    word = (word_at(record, rule.status) or "").casefold()
    return next(
        (state for state, words in ((True, rule.failed), (False, rule.succeeded)) if word in map(str.casefold, words)),
        None,
    )


def result_text(record: Any, rule: ResultRule) -> str:
    """Return what came back, with the error below it where that is a text or an object of its own."""
    said, error = text_at(record, rule.text), value_at(record, rule.error)
    more = text_of(error) if isinstance(error, str | dict | list) and error else ""
    return "\n".join(part for part in (said, more if more not in said else "") if part)


def says_anything(record: Any, rule: ResultRule) -> bool:
    """Whether the record holds a result, a status or an error at all."""
    keys = (rule.text, rule.error, rule.success, rule.status, rule.exit_code)
    return any(value_at(record, key) is not None for key in keys)


def duration(record: Any, rule: ResultRule, start: float | None) -> float | None:
    """Return the recorded duration in seconds."""
    for key, unit in ((rule.seconds, 1.0), (rule.milliseconds, 1000.0)):
        span = float_or_none(value_at(record, key))
        if span is not None and span >= 0:
            return span / unit
    end = parse_time(value_at(record, rule.end))
    return end - start if end is not None and start is not None and end >= start else None


def tokens_of(record: Any, rule: UsageRule) -> Tokens:
    """Return the tokens that a record counts."""
    if rule.api is not None:
        return of_api(dict_of(value_at(record, rule.api)))
    keys = (rule.input, rule.output, rule.cached, rule.written)
    if rule.cache_apart:
        named = {key: value_at(record, key) for key in keys if key is not None}
        return cache_apart(named, *(key or "" for key in keys))
    return Tokens(*(count_or_none(value_at(record, key)) for key in keys))
