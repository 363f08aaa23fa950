"""What test runners report."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.commands.table import Does, knows
from analyzer.failures.command_line import runs_recipe
from analyzer.failures.evidence import Evidence, Indicates, Reading, Strength
from analyzer.failures.messages.search import first_of, is_outer
from analyzer.failures.messages.tables import PROGRAMS
from analyzer.failures.readers.errors import failure_of, failure_of_diagnostics, last_trace
from analyzer.failures.runners import pytest
from analyzer.failures.runners.registry import parse_summary, report_of
from analyzer.failures.traces import RunResult
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late

_LONGEST_END = 1_500
"""Characters at the end of a text in which a report that ends it must be recognised."""
_TALLY = late(
    r"^\W*(?:[A-Z]\w{2,15} )?(?:\d{1,6} (?:tests? )?\w+\W+(?:with )?){0,4}"
    r"\d{1,6} (?:of \d{1,6} )?(?:(?:tests?|checks?|specs?|cases?) )?"
    r"(?:failed|passed|failures?)\b[^\n]{0,60}$"
)
"""A line that is nothing but a count of what passed and what failed."""


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """The report of a test runner, of a run that failed or one that didn't. pytest's short lines look like much else:
    they're asked first only where it was called, and where a command line names another runner they only explain a
    failure. A tool's name names no runner. Mere totals count where a test was run."""
    operation = reading.operation
    called = operation.runner in ("pytest", "tox", "nox") or "pytest" in (operation.command or "")
    if called and pytest.recognises(text):
        yield _evidence(text, (pytest.parse(text), pytest.LANGUAGE))
        return
    known = report_of(text)
    if known is None and pytest.recognises(text):
        another = operation.runner is not None and operation.command is not None and not runs_recipe(operation)
        yield _evidence(text, (pytest.parse(text), pytest.LANGUAGE), Strength.HINT if another else Strength.SURE)
        if not another:
            return
    asked = (
        operation.runner is not None
        or operation.kind is Kind.TEST
        or text.startswith("TAP version")
        or _TALLY.match(text.rstrip().rpartition("\n")[2][:200]) is not None
    )
    found = known or (parse_summary(text) if asked else None)
    if found is not None:
        yield _evidence(text, found)


def _evidence(text: str, report: tuple[RunResult, str], strength: Strength = Strength.SURE) -> Evidence:
    result, language = report
    failure = (_of_build(result, text) or _of_report(result, language)) if result.failed else None
    says = Indicates.FAILED if failure is not None else Indicates.PASSED
    runner = result.runner
    if says is Indicates.PASSED and not result.counts and knows(runner, Does.COUNTS) and not knows(runner, Does.TASKS):
        says = Indicates.NOTHING  # it was cut off, or no test ran
    return Evidence("test-report", _span(text), strength, failure, says=says)


def _span(text: str) -> tuple[int, int]:
    """The end of the text where the report ends there: runners close with what came out."""
    start = max(0, len(text.rstrip()) - _LONGEST_END)
    end = text[start:]
    if start == 0 or report_of(end) is not None or pytest.recognises(end) or parse_summary(end) is not None:
        return start, len(text)
    return 0, start


def _of_report(result: RunResult, language: str) -> Failure:
    """The failure that a report describes: its first trace, with the failing tests and the counts."""
    trace = result.traces[0] if result.traces else None
    if trace is not None:
        failure = failure_of(trace)
        if failure.type in ("AssertionError", "Minitest::Assertion", None) or not failure.message:
            failure.kind = FailureKind.TEST
    else:
        errors = result.counts.get("errors", 0) > 0 and not result.counts.get("failed")
        what = "ended in an error" if errors else "failed"
        lead = f"{result.failing_tests[0] if result.failing_tests else 'tests'} {what}"
        failure = Failure(FailureKind.TEST, "TestFailure", result.message or lead)
    failure.runner, failure.language = result.runner, language or None
    failure.failing_tests, failure.counts = tuple(result.failing_tests), result.counts
    failure.message = failure.message or result.message
    return failure


def _of_build(result: RunResult, text: str) -> Failure | None:
    """What a compiler or a package manager said where a run failed before any test did."""
    if result.traces or result.failing_tests or any(result.counts.values()):
        return None
    refused = failure_of_diagnostics(text)
    if refused is not None:
        return refused
    if is_outer(result.message) and (crashed := last_trace(text)) is not None:
        return crashed  # the build only ran it
    message = first_of(PROGRAMS, text)
    built = ("PackageNotFound", "UsageError")
    if message is None or (message.kind is not FailureKind.COMPILE and message.type not in built):
        return None
    return Failure(message.kind, message.type, message.text, subject=message.masked_subject)
