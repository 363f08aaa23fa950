"""The parsers of stack traces, one per language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from analyzer.failures.lazy import Lazy
from analyzer.failures.trace import Trace


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
    Lazy("analyzer.failures.traces.ruby", (":in `", ":in '", "(SyntaxError)", ".rb:")),
    Lazy("analyzer.failures.traces.php", ("Stack trace:\n#", "Fatal error: ", "Parse error: ")),
    Lazy(
        "analyzer.failures.traces.jvm",
        (".java:", ".kt:", ".scala:", ".groovy:", "(Native Method)", "(Unknown Source)", 'Exception in thread "'),
    ),
    Lazy(
        "analyzer.failures.traces.dotnet",
        (
            ".cs:",
            ".fs:",
            ".vb:",
            "nhandled exception. ",
            "nhandled Exception:",
            "   at System.",
            "  at System.",
            "--- End of ",
            "Exception:",
            "Exception :",
        ),
    ),
    Lazy("analyzer.failures.traces.go", ("panic: ", "fatal error: ", "goroutine ")),
    Lazy("analyzer.failures.traces.elixir", ("** (",)),
    Lazy("analyzer.failures.traces.dart", (".dart", "package:")),
    Lazy("analyzer.failures.traces.rust", ("panicked at ",)),
    Lazy(
        "analyzer.failures.traces.sanitizers",
        ("Sanitizer: ", ": runtime error: ", "Assertion ", "terminate called ", "libc++abi: "),
    ),
)
"""In the order in which they're asked."""


def parsers_for(text: str) -> Iterator[Parser]:
    """The parsers whose traces a text may hold."""
    return (entry.load() for entry in PARSERS if entry.may_read(text))
