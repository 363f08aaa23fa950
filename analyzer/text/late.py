"""Many literals looked for at once, and regular expressions that are compiled when they're first used: most sessions
need few of those that the detectors have.

The automaton of `ahocorasick_rs` takes as long for two hundred literals as for one. Where that package isn't there,
or a text can't be put into UTF-8, each literal is looked for by itself: the answer is the same, and takes longer.

Expressions may be kept as text, in the rows of a table beside a module (`table_beside`, `made_of`).

Where every match of an expression holds some of a few literals (`required`), texts without them aren't searched, and
until one has them the expression isn't even compiled.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cached_property, lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

from analyzer.model.struct import Struct
from analyzer.text.expressions import KEPT
from analyzer.text.required import folded, literals_of

_WINDOW = 1 << 16
"""Characters that are looked at together. Every place of a literal is listed, so that a text of a hundred million
dashes would otherwise fill the memory."""
_FEW, _SHORT = 4, 400
"""So many literals are found as fast one by one, and in a text of so few characters more of them."""


class Literals:
    """A set of texts to look for."""

    def __init__(self, literals: Iterable[str]) -> None:
        self.all = tuple(dict.fromkeys(literal for literal in literals if literal))
        self._overlap = max(map(len, self.all), default=1) - 1

    def within(self, text: str) -> Set[str]:
        """Those of the literals that are in `text`."""
        automaton = self._automaton if len(self.all) > _FEW else None
        if automaton is None:
            return {literal for literal in self.all if literal in text}
        found: set[int] = set()
        try:
            for start in range(0, len(text), _WINDOW):
                window = text[start : start + _WINDOW + self._overlap]
                found.update([match[0] for match in automaton.find_matches_as_indexes(window, overlapping=True)])
        except UnicodeEncodeError:
            return {literal for literal in self.all if literal in text}
        return {self.all[number] for number in found}

    @cached_property
    def _automaton(self) -> Any:
        """Made when it's first used; None where it can't be."""
        try:
            return import_module("ahocorasick_rs").AhoCorasick(list(self.all))
        except (ImportError, UnicodeEncodeError):
            return None


_KNOWN: dict[str, None] = {}
_LEAST, _REMEMBERED = 3, 64
"""Characters of a hint that is looked for together with all others, and so many texts are remembered with theirs."""


class Hints:
    """Texts of which one is in everything that a reader can read. Those of all readers are looked for in one pass over
    a text, the first time that one is asked."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self._short = tuple(word for word in words if len(word) < _LEAST)
        self._others = frozenset(words).difference(self._short)
        if not self._others <= _KNOWN.keys():
            _KNOWN.update(dict.fromkeys(self._others))
            _held.cache_clear()

    def any_within(self, text: str) -> bool:
        """Whether one of them is in `text`."""
        short = len(text) <= _SHORT
        if not short and not self._others.isdisjoint(_held(text)):
            return True
        for word in self.words if short else self._short:  # noqa: SIM110 - a loop takes half as long
            if word in text:
                return True
        return False


@lru_cache(maxsize=_REMEMBERED)
def _held(text: str) -> Set[str]:
    return _together(len(_KNOWN)).within(text)


@lru_cache(maxsize=1)
def _together(_known: int) -> Literals:
    return Literals(_KNOWN)


_FEW_TO_LOOK_FOR = 8
"""So many literals are looked for one after the other, and in a short text any number of them; else all at once."""
_NOTHING: dict[str, Callable[[], Any]] = {
    "search": type(None),
    "finditer": partial(iter, ()),
    "findall": list,
    "sub": str,
}
"""What these methods return where nothing matches; but for `sub`, which returns the text."""


class _Last(Struct):
    """The text that was asked about last, in small letters, and for which expressions it holds what they need: several
    are asked of the same text after each other, and one of ever later parts of it."""

    text: str
    small: str
    holds: dict[object, bool]


_last = _Last("", "", {})


def _about(text: str) -> _Last:
    global _last  # noqa: PLW0603
    small = text.lower()
    _last = _Last(text, small if small.isascii() else folded(text), {})
    return _last


class _Lazy:
    """Looks like a compiled expression."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return KEPT.pattern(self._source, self._flags)

    def __getattr__(self, name: str) -> object:
        # Kept as an attribute of its own, so that this isn't asked again.
        found = self.__dict__[name] = self._guarded(name) if name in _NOTHING else getattr(self._pattern, name)
        return found

    def _guarded(self, name: str) -> Callable[..., Any]:
        """The method, asked only of texts that hold the literals which the expression needs, where it needs some. Until
        then the expression isn't compiled."""
        needed = KEPT.required(self._source, self._flags)
        if needed is None:
            return cast("Callable[..., Any]", getattr(self._pattern, name))
        (formula, holds), nothing = needed, _NOTHING[name]
        literals = literals_of(formula)
        longest = sys.maxsize if len(literals) <= _FEW_TO_LOOK_FOR else _SHORT
        together = Literals(literals)

        place = int(name == "sub")

        def guarded(*given: Any, **named: Any) -> Any:
            text = given[place]
            last = _last if _last.text is text else _about(text)
            known = last.holds.get(self)
            if known is None:
                known = last.holds[self] = holds(last.small if len(text) <= longest else together.within(last.small))
            return getattr(self._pattern, name)(*given, **named) if known else text if place else nothing()

        return guarded


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile(source, flags)`, at the first use of what it returns. A wrong expression raises `re.error` only
    then. What it's made into is kept for later runs, so that no part of `source` may come from a session."""
    return cast("re.Pattern[str]", _Lazy(source, flags))


_Made = TypeVar("_Made")
_GOES_ON = "    "


def table_beside(module: str) -> Mapping[str, Any]:
    """The rows beside a module (`__file__`) as they're written, with its `parts`, of which each may name those above
    it."""
    data = KEPT.table(Path(module).with_name("rows.toml").read_text(encoding="utf-8"))
    parts: dict[str, str] = {}
    for name, part in data.get("parts", {}).items():
        parts[name] = joined(part, parts)[0]
    return {**data, "parts": parts}


def joined(text: str, parts: Mapping[str, str]) -> list[str]:
    """The lines of a text: one that is indented by four blanks goes on with the one above it, and `{NAME}` stands for
    one of the parts."""
    lines: list[str] = []
    for line in text.strip("\n").split("\n"):
        if line.startswith(_GOES_ON):
            lines[-1] += line[len(_GOES_ON) :]
        else:
            lines.append(line)
    for part, meaning in parts.items():
        lines = [line.replace(f"{{{part}}}", meaning) for line in lines]
    return lines


def made_of(kind: type[_Made], entries: Iterable[Mapping[str, Any]], parts: Mapping[str, str]) -> tuple[_Made, ...]:
    """A record of each entry, whose names are those of its fields in small letters. Where a field holds expressions,
    the entry has them as text, in which `^` and `$` mean line ends."""
    return tuple(kind(**dict(_fields(kind, entry, parts))) for entry in entries)


def _fields(kind: type, entry: Mapping[str, Any], parts: Mapping[str, str]) -> Iterable[tuple[str, Any]]:
    for name, annotation in kind.__annotations__.items():
        value = entry.get(name.lower())
        if value is None:
            continue
        if annotation == "Hints":
            yield name, Hints(*value)
        elif "Pattern" not in annotation:
            yield name, tuple(value) if isinstance(value, list) else value
        elif annotation.startswith("tuple[str"):
            yield name, (value[0], late(joined(value[1], parts)[0], re.MULTILINE))
        else:
            found = tuple(late(line, re.MULTILINE) for line in joined(value, parts))
            yield name, found if annotation.startswith("tuple") else found[0]
