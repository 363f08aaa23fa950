"""Regular expressions that are compiled when they're first used: most sessions need few of those that the detectors
have.

Where every match holds one of a few literals, texts without them aren't searched once the expression has been used a
few times: to find out which literals these are takes as long as it takes to compile it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any, cast

from analyzer.text.literals import Literals
from analyzer.text.required import folded, required

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
        return re.compile(self._source, self._flags)

    def __getattr__(self, name: str) -> object:
        # Kept as an attribute of its own, so that this isn't asked again.
        method = getattr(self._compiled, name)
        found = self.__dict__[name] = self._counted(name, method) if name in _NOTHING else method
        return found

    def _counted(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """The method, until it was asked often enough for its literals to be worth knowing."""
        left = _OFTEN

        def counted(text: str, *bounds: int) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                self.__dict__[name] = self._guarded(name, method)
            return method(text, *bounds)

        return counted

    def _guarded(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """The method, asked only of texts that hold one of the literals where there are some."""
        literals, nothing = required(self._source, self._flags), _NOTHING[name]
        if literals is None:
            return method
        longest, together = sys.maxsize if len(literals) <= _FEW else _SHORT, Literals(literals)

        def guarded(text: str, *bounds: int) -> Any:
            within = folded(text)
            if len(text) > longest:
                return method(text, *bounds) if together.any_within(within) else nothing()
            for literal in literals:
                if literal in within:
                    return method(text, *bounds)
            return nothing()

        return guarded


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile(source, flags)`, at the first use of what it returns. A wrong expression raises `re.error` only
    then."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
