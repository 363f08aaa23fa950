"""Many literals looked for at once: one pass over a text says which of them are in it.

The automaton of `ahocorasick_rs` takes as long for two hundred literals as for one. Where that package isn't there,
or a text can't be put into UTF-8, each literal is looked for by itself: the answer is the same, and takes longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import cached_property
from importlib import import_module
from typing import Any

_WINDOW = 1 << 16
"""Characters that are looked at together. Every place of a literal is listed, so that a text of a hundred million
dashes would otherwise fill the memory."""
_FEW = 4
"""So many literals are found as fast one by one."""


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

    def any_within(self, text: str) -> bool:
        """Whether one of the literals is in `text`."""
        automaton = self._automaton if len(self.all) > _FEW else None
        if automaton is None:
            return any(literal in text for literal in self.all)
        try:
            for start in range(0, len(text), _WINDOW):
                if automaton.find_matches_as_indexes(text[start : start + _WINDOW + self._overlap]):
                    return True
        except UnicodeEncodeError:
            return any(literal in text for literal in self.all)
        return False

    @cached_property
    def _automaton(self) -> Any:
        """Made when it's first used; None where it can't be."""
        try:
            return import_module("ahocorasick_rs").AhoCorasick(list(self.all))
        except (ImportError, UnicodeEncodeError):
            return None
