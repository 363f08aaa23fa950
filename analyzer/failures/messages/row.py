"""One known error message: what kind of failure it is, and the expression that finds it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.model.words import FailureKind
from analyzer.text.masks import mask


@dataclass(frozen=True, slots=True)
class Message:
    """One known message: what kind of failure it is, the type it's given, and its text."""

    kind: FailureKind
    type: str
    text: str
    subject: str | None = None
    start: int = 0

    @property
    def masked_subject(self) -> str | None:
        """What the message is about without what varies by itself."""
        return mask(self.subject) if self.subject is not None else None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: a named group `subject` is what the message is about, `detail` the part of it that is
    quoted."""

    kind: FailureKind
    type: str
    pattern: re.Pattern[str]


def row(kind: FailureKind, name: str, expression: str) -> Row:
    """A row from an expression in which `^` and `$` mean line ends."""
    return Row(kind, name, re.compile(expression, re.MULTILINE))
