"""Lists of messages within other data: the state of a graph, the runs of a stored session, the memory of a team."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.record.chat_messages import is_message
from analyzer.formats.record.fields import dict_of
from analyzer.model.struct import Struct

_DEEPEST, _SAMPLE, _MOST_ENTRIES = 6, 40, 200
_OTHERS_TOLERATED = 0.2


class MessageList(Struct, frozen=True):
    """A list of messages: the keys on the way to it (`runs[].messages`), its place, and the nearest object around it
    that names a session or a model."""

    keys: str
    place: str
    items: list[Any]
    around: dict[str, Any]


def are_messages(value: object) -> bool:
    """Whether the value is a list of messages, but for a few entries."""
    if not isinstance(value, list):
        return False
    sample = value[:_SAMPLE]
    found = sum(map(is_message, sample))
    return found > 0 and is_message(sample[0]) and len(sample) - found <= _OTHERS_TOLERATED * len(sample)


def message_lists(value: object) -> list[MessageList]:
    """Return the lists of messages within an object that isn't one conversation itself: of those that lie in the same
    way, the most messages. Empty where there are none, or where the object has other lists of records."""
    if not isinstance(value, dict):
        return []
    groups: dict[str, list[MessageList]] = {}
    for found in _below(value, "", "", {}, 0):
        groups.setdefault(found.keys, []).append(found)
    if not groups:
        return []
    best = max(groups.values(), key=lambda group: sum(len(entry.items) for entry in group))
    known = {keys.split(".")[0].removesuffix("[]") for keys in groups}
    others = (entry for key, entry in value.items() if key not in known and isinstance(entry, list))
    records = (sum(isinstance(one, dict) for one in entry[:_SAMPLE]) for entry in others)
    return [] if any(count > 1 for count in records) else best


def _below(value: object, keys: str, place: str, around: dict[str, Any], depth: int) -> Iterator[MessageList]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        if are_messages(value) and len({_speaker(item) for item in value[:_SAMPLE]}) > 1:
            yield MessageList(keys, place, value, around)
            return
        for number, item in enumerate(value[:_MOST_ENTRIES], 1):
            if isinstance(item, dict):
                yield from _below(item, f"{keys}[]", f"{place} {number}", around, depth + 1)
    elif isinstance(value, dict):
        around = {**around, **{key: entry for key, entry in value.items() if not isinstance(entry, dict | list)}}
        for key, entry in list(value.items())[:_MOST_ENTRIES]:
            if isinstance(entry, dict | list):
                deeper = f"{keys}.{key}" if keys else str(key)
                yield from _below(entry, deeper, f"{place}, {key}" if place else str(key), around, depth + 1)


def _speaker(item: object) -> str:
    entry = dict_of(item)
    kind = dict_of(entry.get("kwargs")).get("type") or entry.get("type") or entry.get("kind")
    return str(entry.get("role") or entry.get("message_type") or kind)
