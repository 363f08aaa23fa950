"""Which keys the records of an unknown log have, and what stands under them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from analyzer.formats.loading.mapping.values import word_of
from analyzer.formats.loading.mapping.words import LISTS, spelled
from analyzer.formats.record.fields import json_or_none, parse_time
from analyzer.model.rules import Paths
from analyzer.model.struct import Struct, field
from analyzer.text.late import late

_DEEPEST, _MOST_KEYS = 3, 60
_IDENTIFIER = late(r"[A-Za-z_][\w.:/-]{0,60}(?: [\w.:/-]{1,40})?")


class Key(Struct):
    """A key as the records have it: how many have it, and how many of its values are what."""

    path: str
    count: int = 0
    texts: int = 0
    objects: int = 0
    identifiers: int = 0
    truths: int = 0
    numbers: int = 0
    times: int = 0
    length: int = 0
    words: Counter[str] = field(default_factory=Counter)

    @property
    def word(self) -> str:
        """The last word of the key, as the lists of words have it."""
        return spelled(self.path)

    def mostly(self, number: int) -> bool:
        """Whether so many are nearly all of the values."""
        return self.count > 0 and number >= 0.8 * self.count


def survey(records: Iterable[Mapping[str, Any]]) -> dict[str, Key]:
    """Every key of the records down to the third level, by its path."""
    keys: dict[str, Key] = {}
    for record in records:
        _note(record, "", 1, keys)
    return keys


def _note(record: Mapping[str, Any], prefix: str, depth: int, keys: dict[str, Key]) -> None:
    for name, value in list(record.items())[:_MOST_KEYS]:
        if value is None or value == "":
            continue
        path = f"{prefix}{name}"
        key = keys.setdefault(path, Key(path))
        key.count += 1
        text = value if isinstance(value, str) and value.lstrip()[:1] == "{" else None
        key.objects += isinstance(value if text is None else json_or_none(text), dict)
        key.truths += isinstance(value, bool)
        key.numbers += isinstance(value, int | float) and not isinstance(value, bool)
        key.times += parse_time(value) is not None and (isinstance(value, str) or value > 1e8)
        if isinstance(value, str):
            key.texts += 1
            key.length += len(value)
            key.identifiers += _IDENTIFIER.fullmatch(value) is not None
        if (word := word_of(value)) is not None:
            key.words[word] += 1
        if isinstance(value, dict) and depth < _DEEPEST:
            _note(value, f"{path}.", depth + 1, keys)


def pick(
    keys: Mapping[str, Key], listed: str, fits: Callable[[Key], bool], without: Iterable[Paths | None] = ()
) -> str | None:
    """The path of the key whose word stands first in the list of words of this name, of those that fit; None where
    there is none."""
    words, taken = LISTS[listed], set(without)
    found = [
        (words.index(key.word), -key.count, key.path.count("."), path)
        for path, key in keys.items()
        if path not in taken and key.word in words and fits(key)
    ]
    return min(found)[3] if found else None
