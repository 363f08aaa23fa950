"""The diagnostics of compilers, type checkers and linters."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.commands.table import Does, knows
from analyzer.failures.compilers.table import diagnostics_in
from analyzer.failures.evidence import Evidence, Reading, Strength
from analyzer.failures.readers.stack_traces import failure_of
from analyzer.model.failure import Failure


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """The first error of a compiler or, where one ran or the call doesn't show what ran, of a linter. Of a linter
    warnings are enough to explain why it failed."""
    unseen = reading.operation.command is None
    linted = unseen or any(is_linter(name) for name in reading.operation.runners)
    failure = failure_of_diagnostics(text, linters=linted)
    if failure is not None:
        yield Evidence("diagnostics", _span(text, failure), Strength.PLAIN, failure)
    elif linted and not unseen and (warned := failure_of_diagnostics(text, linters=True, warnings=True)) is not None:
        yield Evidence("diagnostics", _span(text, warned), Strength.HINT, warned)


def _span(text: str, failure: Failure) -> tuple[int, int]:
    """The line of the diagnostic: its message may have been put together from several."""
    places = [place for part in failure.message.split(": ") if len(part) > 3 and (place := text.find(part)) >= 0]
    start = min(places, default=0)
    end = text.find("\n", start)
    return text.rfind("\n", 0, start) + 1, end if end >= 0 else len(text)


def is_linter(runner: str | None) -> bool:
    """Whether what ran is a linter, a type checker or a formatter, by itself or as a project's `lint` or `check`."""
    return runner is not None and (
        knows(runner, Does.LINTS | Does.FORMATS)
        or runner.rsplit(" ", 1)[-1].startswith(("lint", "check", "format", "typecheck"))
    )


def failure_of_diagnostics(text: str, *, linters: bool = False, warnings: bool = False) -> Failure | None:
    """The failure that a compiler or, where `linters` says that one may have run, a linter complains of. Nothing but
    warnings is none, unless `warnings` says that they count."""
    found = diagnostics_in(text, linters=linters)
    if found is None or not (warnings or found[0].counts.get("errors")):
        return None
    diagnostics, language = found
    failure = failure_of(diagnostics.trace)
    failure.language, failure.runner, failure.counts = language or None, diagnostics.tool, diagnostics.counts
    return failure
