"""The model's name in an agent's configuration, however deep that lies in a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from analyzer.formats.loading.mapping import words
from analyzer.formats.loading.mapping.words import words_of

_DEEPEST, _LOOKED_AT, _LONGEST = 8, 5, 120
_OF_OBJECT = ("name", "id", "model", "model_name", "model_id", "identifier")


def model_of(values: Iterable[Mapping[str, Any]]) -> str | None:
    """The path of the model's name, the one nearest to the top; None where there is none, or where objects equally near
    to the top name several models, as where each agent of a team has its own."""
    found: dict[str, set[str]] = {}
    seen: set[int] = set()
    for value in values:
        if id(value) not in seen:
            seen.add(id(value))
            for path, name in _names(value, "", 0):
                found.setdefault(path, set()).add(name)
    if not found:
        return None
    nearest = min(path.count(".") for path in found)
    best = [path for path in found if path.count(".") == nearest]
    return min(best) if len(set().union(*(found[path] for path in best))) == 1 else None


def _names(value: Any, prefix: str, depth: int) -> Iterator[tuple[str, str]]:
    """The names of models in a value, with their paths."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for number, inner in enumerate(value[:_LOOKED_AT]):
            yield from _names(inner, f"{prefix}{number}.", depth + 1)
    elif isinstance(value, dict):
        for key, inner in value.items():
            path = f"{prefix}{key}"
            if "." in str(key):
                continue
            if words_of(str(key)) in words.MODELS:
                name = next(((more, text) for more in ("", *_OF_OBJECT) if (text := _text(inner, more))), None)
                if name is not None:
                    yield f"{path}.{name[0]}" if name[0] else path, name[1]
                    continue
            if isinstance(inner, dict | list):
                yield from _names(inner, f"{path}.", depth + 1)


def _text(value: Any, key: str) -> str | None:
    """A short text without a blank: a value, or what stands under a key of an object."""
    inner = value if not key else value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, str) and 0 < len(inner) <= _LONGEST and " " not in inner.strip() else None
