"""What several calls that were rejected one after the other tried: names and values, and which of them should have
passed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.failures.rejections import ArgumentError

_MOST = 12


@dataclass(frozen=True, slots=True)
class Attempt:
    """One rejected call: its step, the arguments that the rejection speaks of, and what it says of them."""

    step: int
    arguments: Mapping[str, Any]
    said: ArgumentError


def names_tried(attempts: Sequence[Attempt]) -> list[str]:
    """The names that the attempts gave in turn for what was rejected; those that the rejections speak of where only one
    shape was tried."""
    shapes = [set(map(str, attempt.arguments)) for attempt in attempts if attempt.arguments]
    if not shapes:
        return []
    common = set.intersection(*shapes)
    varied = _ordered(name for attempt in attempts for name in attempt.arguments if name not in common)
    spoken = {name for attempt in attempts for name in attempt.said.unexpected}
    return varied or _ordered(name for attempt in attempts for name in attempt.arguments if name in spoken)


def values_tried(attempts: Sequence[Attempt]) -> list[str]:
    """The values that the attempts gave in turn for what the rejections call wrong."""
    return _ordered(
        text(attempt.arguments[name])
        for attempt in attempts
        for name in attempt.said.wrong
        if name in attempt.arguments
    )


def in_vain(attempts: Sequence[Attempt]) -> list[str]:
    """The names and values that a rejected call gave as the rejection wants them, and that didn't help."""
    found = []
    tried, seen = set(names_tried(attempts)), _are_seen(attempts)
    for attempt in attempts:
        said, given = attempt.said, attempt.arguments
        wanted = [name for name in (*said.missing, *said.takes) if name in given and name in tried]
        found += [name for name in wanted if name in said.missing or (seen and _phantoms(attempt))]
        found += [value for name in said.wrong if name in given and (value := text(given[name])) in said.allowed]
    return _ordered(found)


def phantoms(attempts: Sequence[Attempt]) -> list[str]:
    """The names that a rejection complains of although its call doesn't give them."""
    if not _are_seen(attempts):
        return []
    return _ordered(name for attempt in attempts for name in _phantoms(attempt))


def _are_seen(attempts: Sequence[Attempt]) -> bool:
    """Whether the arguments that the rejections speak of are those that the calls show."""
    return any(name in attempt.arguments for attempt in attempts for name in attempt.said.unexpected)


def _phantoms(attempt: Attempt) -> list[str]:
    return [name for name in attempt.said.unexpected if attempt.arguments and name not in attempt.arguments]


def text(value: Any) -> str:
    """A value as a message would have it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _ordered(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(str(name)[:80] for name in names))[:_MOST]
