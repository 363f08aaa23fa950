"""Regular expressions that are compiled when they're first used: most sessions need few of those that the detectors
have."""

from __future__ import annotations

import re
from functools import cached_property
from typing import cast


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
        found = self.__dict__[name] = getattr(self._compiled, name)
        return found


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile(source, flags)`, at the first use of what it returns. A wrong expression raises `re.error` only
    then."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
