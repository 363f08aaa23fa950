"""The readers of compilers and linters, in the order in which they're asked."""

from __future__ import annotations

from typing import Protocol

from analyzer.failures.compilers.diagnostic import Diagnostics
from analyzer.failures.lazy import Lazy


class Reader(Protocol):
    """A module that reads one tool's diagnostics."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a module's constant
        """The tool's name in reports."""
        ...

    @property
    def LANGUAGE(self) -> str:  # noqa: N802 - a module's constant
        """The language of the code that it reads, empty for a tool of many."""
        ...

    @property
    def KIND(self) -> str:  # noqa: N802 - a module's constant
        """The type of its complaints."""
        ...

    def read(self, text: str) -> Diagnostics | None:
        """What the tool said, or None where the text holds none of its diagnostics."""
        ...


COMPILERS: tuple[Lazy[Reader], ...] = (
    Lazy("analyzer.failures.compilers.tsc", (" TS",)),
    Lazy("analyzer.failures.compilers.svelte_check", ("svelte-check", ".svelte:", "\nError: ")),
    Lazy("analyzer.failures.compilers.rustc", ("error[E", " --> ", ".rs:")),
    Lazy("analyzer.failures.compilers.go_build", (".go:",)),
    Lazy("analyzer.failures.compilers.javac", (".java:",)),
    Lazy("analyzer.failures.compilers.kotlinc", (".kt:", ".kts:")),
    Lazy("analyzer.failures.compilers.csc", ("error CS", "error FS", "error BC")),
    Lazy(
        "analyzer.failures.compilers.c_family",
        (
            ": error: ",
            ": fatal error: ",
            "): error ",
            "): fatal error ",
            "undefined reference to ",
            "multiple definition of ",
            "undefined symbol",
            "Undefined symbols",
            "cannot find -l",
        ),
    ),
)
"""Asked first: what doesn't compile is the sharper message."""
LINTERS: tuple[Lazy[Reader], ...] = (
    Lazy(
        "analyzer.failures.compilers.eslint", (" error ", "Error -", "[Error/", "[Warning/", "Warning -", " warning ")
    ),
    Lazy("analyzer.failures.compilers.oxlint", (",-[", "╭─[")),
    Lazy("analyzer.failures.compilers.biome", (" ━━━",)),
    Lazy("analyzer.failures.compilers.mypy", (": error: ",)),
    Lazy("analyzer.failures.compilers.pyright", (" - error: ", " - warning: ")),
    Lazy(
        "analyzer.failures.compilers.pylint",
        ("************* Module", ": C0", ": W0", ": E0", ": R0", ": E1", ": W1", ": F0"),
    ),
    Lazy("analyzer.failures.compilers.ruff", (".py:", ".pyi:", ".ipynb:")),
    Lazy("analyzer.failures.compilers.rubocop", (" offense",)),
    Lazy("analyzer.failures.compilers.shellcheck", (" SC",)),
    Lazy(
        "analyzer.failures.compilers.formatters",
        ("would reformat ", "Would reformat: ", "[warn] ", "Imports are incorrectly sorted", "\nDiff in "),
    ),
)
"""Asked only where it's known that one of them ran: their lines look like much else."""


def diagnostics_in(text: str, *, linters: bool) -> tuple[Diagnostics, str] | None:
    """The complaints of the first tool that said something in `text`, with their language; `linters` says whether these
    are asked."""
    for entry in (*COMPILERS, *LINTERS) if linters else COMPILERS:
        if entry.may_read(text):
            reader = entry.load()
            found = reader.read(text)
            if found is not None:
                return found, reader.LANGUAGE
    return None
