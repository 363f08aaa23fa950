"""The parsers of test runners' reports, the particular ones in the order in which they're asked."""

from __future__ import annotations

from typing import Protocol

from analyzer.failures.lazy import Lazy
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


REPORTS: tuple[Lazy[Report], ...] = (
    Lazy("analyzer.failures.runners.unittest", ("Ran ",)),
    Lazy("analyzer.failures.runners.doctest", ("Failed example:",)),
    Lazy("analyzer.failures.runners.bun_test", ("bun test v", "Ran ")),
    Lazy("analyzer.failures.runners.jest", ("Tests: ", "Test Suites: ", "● ")),
    Lazy("analyzer.failures.runners.vitest", ("Test Files ", "Tests ", "RUN ", "DEV ", "FAIL ")),
    Lazy("analyzer.failures.runners.mocha", (" passing", " failing")),
    Lazy("analyzer.failures.runners.node_test", ("duration_ms", "✖ failing tests:")),
    Lazy("analyzer.failures.runners.rspec", (" example", "Failure/Error: ")),
    Lazy("analyzer.failures.runners.minitest", (" assertions, ", "# Running:", ") Failure:", ") Error:")),
    Lazy(
        "analyzer.failures.runners.phpunit",
        ("OK (", "OK, but", "FAILURES!", "ERRORS!", "PHPUnit ", "Assertions: ", "Failed asserting"),
    ),
    Lazy(
        "analyzer.failures.runners.maven",
        ("Tests run: ", "BUILD SUCCESS", "BUILD FAILURE", "[ERROR] Failed to execute goal ", "[Help 1]", "OK ("),
    ),
    Lazy("analyzer.failures.runners.junit_console", ("Test run finished after ", "Source [className = ")),
    Lazy("analyzer.failures.runners.gradle", ("BUILD SUCCESSFUL", "BUILD FAILED", " completed", "* What went wrong:")),
    Lazy(
        "analyzer.failures.runners.dotnet_test",
        ("Failed: ", "Test summary: ", "Total tests: ", "Test Run ", "[xUnit.net ", ": error ", "Build FAILED."),
    ),
    Lazy(
        "analyzer.failures.runners.go_test",
        ("ok  \t", "FAIL\t", "--- FAIL", "--- PASS", "--- SKIP", "=== RUN", '"Action":'),
    ),
    Lazy(
        "analyzer.failures.runners.cargo_test",
        ("test result: ", "running ", "test failed, to rerun", " ... FAILED", " run: "),
    ),
    Lazy("analyzer.failures.runners.ctest", ("% tests passed", " Test ")),
    Lazy(
        "analyzer.failures.runners.gtest",
        ("[==========]", "[----------]", "[  FAILED  ]", "[  PASSED  ]", "[ RUN      ]", "[       OK ]"),
    ),
)
"""The reports that only the runner itself prints, in the order in which they're asked."""


def report_of(text: str) -> tuple[RunResult, str] | None:
    """The report that `text` holds, with its language, or None where no runner's own parser knows it."""
    for entry in REPORTS:
        if entry.may_read(text) and (report := entry.load()).recognises(text):
            return report.parse(text), report.LANGUAGE
    return None
