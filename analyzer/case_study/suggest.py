"""Which keys a model of a written file knows at a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel


def fields_at(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """The keys that are known at pydantic's `location`; empty where that isn't known."""
    now: list[type[BaseModel]] = [model]
    for part in location:
        if isinstance(part, int):
            continue
        inside = [
            found
            for entry in now
            if part in entry.model_fields
            for found in _models(entry.model_fields[part].annotation)
        ]
        named = [entry for entry in now if entry.__name__ == part]
        tagged = [entry for entry in now if part in entry.model_fields] if not inside else []
        now = inside or named or tagged or now
        if location and part == "step":
            now = [entry for entry in now if entry.__name__ == "PlanStep"] or now
    return list(dict.fromkeys(name for entry in now for name in entry.model_fields))


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inside in get_args(annotation):
        yield from _models(inside)
