"""Parsers that are imported when a text may need them: compiling every expression of every language takes longer than
reading a short log."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Generic, TypeVar, cast

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lazy(Generic[T]):
    """A module and texts of which one occurs in every output that it can read."""

    module: str
    hints: tuple[str, ...]

    def may_read(self, text: str) -> bool:
        """Whether one of the hints is in `text`."""
        return any(hint in text for hint in self.hints)

    def load(self) -> T:
        """The module, imported on first use."""
        return cast("T", import_module(self.module))
