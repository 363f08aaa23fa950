"""Sentences with typed slots: how a value is written where a sentence names it.

`{name}` is the value itself, a list with commas. What stands behind a colon says how it's written: `code 60` and
`path 60` as a code span of at most so many characters, `clip 60` cut to one line, `quoted 60` in quotation marks,
`times` as `twice` or `6 times`, `step|steps` as a count with its noun, `~step|steps` the noun alone (of a list: for as
many as it has), `and` or `or` as a list of words. Several are applied in turn: `{files:path 60,and}`; each of those
before `and` goes for every entry of a list. A slot may stand within another one's way: `{n:~| {n:times}}` says how
often only where it was more than once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from string import Formatter
from typing import Any

from analyzer.model.finding import Slot
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import capital, listed, times
from analyzer.text.markdown import code

_CUTS: Mapping[str, Callable[[str, int], str]] = {
    "code": code,
    "path": lambda text, most: code(clip_path(text, most)),
    "clip": clip,
    "quoted": lambda text, most: f'"{clip(text, most)}"',
}
_LONGEST = 200


def _written(value: Any, way: str) -> Any:
    if "|" in way:
        one, many = way.removeprefix("~").split("|")
        count = len(value) if isinstance(value, list | tuple) else value
        noun = one if count == 1 else many
        return noun if way.startswith("~") else f"{count} {noun}"
    match way.partition(" "):
        case ("", _, _):
            return value
        case ("times", _, _):
            return times(value)
        case ("capital", _, _):
            return capital(str(value))
        case ("and" | "or" as last, _, _):
            return listed([str(entry) for entry in value], last)
        case (name, _, most) if name in _CUTS:
            cut, limit = _CUTS[name], int(most or _LONGEST)
            return (
                [cut(str(one), limit) for one in value] if isinstance(value, list | tuple) else cut(str(value), limit)
            )
    raise ValueError(f"no way to write a slot: {way!r}")


@lru_cache(maxsize=2_000)
def _parts(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """A template as its texts, each with the slot behind it and how that is written."""
    parsed = Formatter().parse(template)
    return tuple((text, name, way or "") for text, name, way, _ in parsed)


def worded(template: str, slots: Mapping[str, Slot]) -> str:
    """The sentence with its slots filled in. Raises `KeyError` for a slot that isn't given and `ValueError` for a way
    of writing that there isn't."""
    said: list[str] = []
    for text, name, way in _parts(template):
        said.append(text)
        if name is not None:
            value: Any = slots[name]
            for step in (worded(way, slots) if "{" in way else way).split(",") if way else ():
                value = _written(value, step)
            said.append(", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))
    return "".join(said)
