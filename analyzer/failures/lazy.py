"""Parsers that are imported when a text may need them: compiling every expression of every language takes longer than
reading a short log."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Generic, TypeVar, cast

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lazy(Generic[T]):
    """A module and texts of which one occurs in every output that it can read."""

    module: str
    hints: tuple[str, ...]

    def may_read(self, text: str) -> bool:
        """Whether one of the hints is in `text`."""
        for hint in self.hints:  # noqa: SIM110 - a loop takes half as long as any() here
            if hint in text:
                return True
        return False

    def load(self) -> T:
        """The module, imported on first use."""
        return cast("T", module_named(self.module))


@cache
def module_named(name: str) -> ModuleType:
    """A module; to ask the import system takes longer than most parsers need."""
    return import_module(name)
