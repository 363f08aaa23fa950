"""The parsers of stack traces: modules for the two most frequent languages, rows for the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from analyzer.failures.lazy import Lazy
from analyzer.failures.trace import Trace
from analyzer.failures.traces.table import LANGUAGES


class Parser(Protocol):
    """A module that reads one language's traces."""

    @property
    def LANGUAGE(self) -> str:  # noqa: N802 - a module's constant
        """The language's name in reports."""
        ...

    def traces(self, text: str) -> list[Trace]:
        """Every trace in the order printed, frames from the outermost call to where it was raised."""
        ...


PARSERS: tuple[Lazy[Parser], ...] = (
    Lazy("analyzer.failures.traces.python", ("Traceback (most recent call last)", "Error: ")),
    Lazy(
        "analyzer.failures.traces.javascript",
        (
            "   at ",
            "\tat ",
            "\nat ",
            "@[native code]",
            "js:1:",
            "js:2:",
            "js:3:",
            "js:4:",
            "js:5:",
            "js:6:",
            "js:7:",
            "js:8:",
            "js:9:",
            "bundle:",
        ),
    ),
)
"""In the order in which they're asked."""


def parsers_for(text: str) -> Iterator[Parser]:
    """The parsers whose traces a text may hold."""
    yield from (entry.load() for entry in PARSERS if entry.may_read(text))
    yield from (language for language in LANGUAGES if language.may_read(text))
