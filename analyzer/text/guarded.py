"""Expressions that are tried only on texts that hold a literal which every match needs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from analyzer.text.expressions import KEPT
from analyzer.text.required import folded


@dataclass(frozen=True)
class Guarded:
    """An expression that is compiled and tried only on texts that hold one of its literals."""

    source: str
    flags: int = 0

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression."""
        return KEPT.pattern(self.source, self.flags)

    @cached_property
    def literals(self) -> tuple[str, ...] | None:
        """The literals, in lower case; None where the expression needs none."""
        return KEPT.literals(self.source, self.flags)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in a text."""
        return self.pattern.search(text) if self.may_match(folded(text)) else None

    def may_match(self, lowered: str) -> bool:
        """Whether one of the literals is in a text, which is given as `folded` makes it."""
        literals = self.literals
        if literals is None:
            return True
        for literal in literals:  # noqa: SIM110 - a loop takes half as long as any() here
            if literal in lowered:
                return True
        return False
