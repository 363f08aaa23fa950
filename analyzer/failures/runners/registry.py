"""The parsers of test runners' reports, the particular ones in the order in which they're asked.

The report of a test runner that a log ends with, read without knowing what was run.
"""

from __future__ import annotations

from analyzer.failures.runners import pytest, summaries
from analyzer.failures.runners.table import RUNNERS
from analyzer.failures.trace import RunResult
from analyzer.text.plain import holds_any, plain

_GO = ("ok  \t", "FAIL\t", "--- FAIL", "--- PASS", "--- SKIP", "=== RUN", '"Action":')
"""Texts of which one is in every report of `go test`."""


def report_of(text: str) -> tuple[RunResult, str] | None:
    """The report that `text` holds, with its language, or None where no runner's own parser knows it."""
    if holds_any(text, _GO):
        from analyzer.failures.runners import go_test

        if go_test.recognises(text):
            return go_test.parse(text), go_test.LANGUAGE
    runner = next((runner for runner in RUNNERS if holds_any(text, runner.hints) and runner.recognises(text)), None)
    return (runner.parse(text), runner.LANGUAGE) if runner is not None else None


_END = 20_000
"""Characters at the end of a log that are looked at."""
_CLOSING = 1_500
"""Characters at the end in which the counts must stand: what goes on after them may still have failed."""


def closing_report(text: str) -> RunResult | None:
    """The last run that the end of a log reports, with how many tests passed or failed; None where it doesn't end with
    such counts."""
    end = plain(text[-2 * _END :])[-_END:].rstrip()
    found = None
    for part in (end[-_CLOSING:], end):
        found = _of(part)
        if found is None or not any(found.counts.get(word) for word in ("passed", "failed", "errors")):
            return None
    return found


_COUNT_WORDS = ("pass", "succeeded", "\nok", "ok (", "ran ", "tests run", "0 failures")
"""Texts in small letters of which one is in every count of tests that passed."""


def counts_passed(text: str) -> bool:
    """Whether a report counts tests that passed, or names a package of Go whose tests did."""
    report = _of(text) if holds_any(f"\n{text.lower()}", _COUNT_WORDS) else None
    packages = [line for line in text.splitlines() if line.startswith(_GO[0]) and "[no test" not in line]
    return report is not None and (bool(report.counts.get("passed")) or (report.runner == "go test" and bool(packages)))


def _of(text: str) -> RunResult | None:
    known = report_of(text)
    if known is None and pytest.recognises(text):
        return pytest.parse(text)
    known = known or summaries.parse(text)
    return known[0] if known is not None else None
