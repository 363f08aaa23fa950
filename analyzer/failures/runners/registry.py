"""The parsers of test runners' reports, the particular ones in the order in which they're asked."""

from __future__ import annotations

from typing import Protocol

from analyzer.failures.lazy import Lazy
from analyzer.failures.runners.row import Runner
from analyzer.failures.runners.table import RUNNERS
from analyzer.failures.trace import RunResult


class Report(Protocol):
    """A module that reads one runner's report."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a module's constant
        """The runner's name in reports."""
        ...

    @property
    def LANGUAGE(self) -> str:  # noqa: N802 - a module's constant
        """The language of the tests."""
        ...

    def recognises(self, text: str) -> bool:
        """Whether `text` holds such a report."""
        ...

    def parse(self, text: str) -> RunResult:
        """What a text that holds one says."""
        ...


REPORTS: tuple[Lazy[Report] | Runner, ...] = (
    Lazy("analyzer.failures.runners.unittest", ("Ran ",)),
    Lazy(
        "analyzer.failures.runners.go_test",
        ("ok  \t", "FAIL\t", "--- FAIL", "--- PASS", "--- SKIP", "=== RUN", '"Action":'),
    ),
    *RUNNERS,
)
"""The reports that only the runner itself prints, in the order in which they're asked."""


def report_of(text: str) -> tuple[RunResult, str] | None:
    """The report that `text` holds, with its language, or None where no runner's own parser knows it."""
    for entry in REPORTS:
        if entry.may_read(text) and (report := _loaded(entry)).recognises(text):
            return report.parse(text), report.LANGUAGE
    return None


def _loaded(entry: Lazy[Report] | Runner) -> Report:
    return entry if isinstance(entry, Runner) else entry.load()
