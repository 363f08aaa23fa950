"""Regular expressions that are compiled when they're first used: most sessions need few of those that the detectors
have.

Where every match holds one of a few literals, texts without them aren't searched: at once where an earlier run kept
which literals these are, and otherwise when the expression has been used a few times, since to find them out takes as
long as it takes to compile it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any, cast

from analyzer.text.expressions import KEPT
from analyzer.text.literals import Literals
from analyzer.text.required import folded

_OFTEN = 24
"""After so many searches the literals are worth knowing."""
_FEW, _SHORT = 8, 400
"""So many literals are looked for one after the other, and in a text of so few characters any number of them; else all
at once."""
_NOTHING: dict[str, Callable[[], object]] = {"search": lambda: None, "finditer": lambda: iter(()), "findall": list}
"""What these methods return where nothing matches."""


class _Lazy:
    """Looks like a compiled expression."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return KEPT.pattern(self._source, self._flags)

    def __getattr__(self, name: str) -> object:
        # Kept as an attribute of its own, so that this isn't asked again.
        found = self.__dict__[name] = self._looking(name) if name in _NOTHING else getattr(self._compiled, name)
        return found

    def _looking(self, name: str) -> Callable[..., Any]:
        if KEPT.knows(self._source, self._flags):
            return self._guarded(name)
        return self._counted(name, getattr(self._compiled, name))

    def _counted(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """The method, until it was asked often enough for its literals to be worth knowing."""
        left = _OFTEN

        def counted(text: str, *bounds: int) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                self.__dict__[name] = self._guarded(name)
            return method(text, *bounds)

        return counted

    def _guarded(self, name: str) -> Callable[..., Any]:
        """The method, asked only of texts that hold one of the literals where there are some. Until then the
        expression isn't compiled."""
        literals, nothing = KEPT.literals(self._source, self._flags), _NOTHING[name]
        if literals is None:
            method: Callable[..., Any] = getattr(self._compiled, name)
            return method
        longest, together = sys.maxsize if len(literals) <= _FEW else _SHORT, Literals(literals)

        def guarded(text: str, *bounds: int) -> Any:
            within = folded(text)
            if len(text) > longest:
                return getattr(self._compiled, name)(text, *bounds) if together.any_within(within) else nothing()
            for literal in literals:
                if literal in within:
                    return getattr(self._compiled, name)(text, *bounds)
            return nothing()

        return guarded


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile(source, flags)`, at the first use of what it returns. A wrong expression raises `re.error` only
    then. What it's made into is kept for later runs, so that no part of `source` may come from a session."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
