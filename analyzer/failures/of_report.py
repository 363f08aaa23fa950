"""From a test runner's report or a compiler's complaints to a failure."""

from __future__ import annotations

from analyzer.failures import messages
from analyzer.failures.compilers.table import diagnostics_in
from analyzer.failures.of_trace import failure_of
from analyzer.failures.reading import masked
from analyzer.failures.runners import pytest, summaries
from analyzer.failures.runners.registry import report_of
from analyzer.failures.trace import RunResult
from analyzer.model.action import Operation
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind


def report(operation: Operation, text: str, *, fails: bool) -> tuple[RunResult, str] | None:
    """The report of a test runner, when a test or a build was run, and its language. pytest's short lines look like
    much else, so that it's asked first only where it was called."""
    called = operation.runner in ("pytest", "tox", "nox") or "pytest" in (operation.command or "")
    if called and pytest.recognises(text):
        return pytest.parse(text), pytest.LANGUAGE
    known = report_of(text)
    if known is None and (operation.runner is None or fails) and pytest.recognises(text):
        return pytest.parse(text), pytest.LANGUAGE
    asked = operation.runner is not None or operation.kind is Kind.TEST or text.startswith("TAP version")
    return known or (summaries.parse(text) if asked else None)


def of_report(result: RunResult, language: str) -> Failure:
    """The failure that a report describes: its first trace, with the failing tests and the counts."""
    trace = result.traces[0] if result.traces else None
    if trace is not None:
        failure = failure_of(trace)
        if failure.type in ("AssertionError", None) or not failure.message:
            failure.kind = FailureKind.TEST
    else:
        lead = f"{result.failing_tests[0]} failed" if result.failing_tests else "tests failed"
        failure = Failure(FailureKind.TEST, "TestFailure", result.message or lead)
    failure.runner, failure.language = result.runner, language or None
    failure.failing_tests, failure.counts = tuple(result.failing_tests), result.counts
    if not failure.message and result.message:
        failure.message = result.message
    return failure


def of_diagnostics(text: str, *, linters: bool, weak: bool = False) -> Failure | None:
    """The failure that a compiler or, where `linters` says that one may have run, a linter complains of. Nothing but
    warnings is none, unless `weak` says that the tool itself failed for them."""
    found = diagnostics_in(text, linters=linters)
    if found is None or not (weak or found[0].counts.get("errors")):
        return None
    diagnostics, language = found
    failure = failure_of(diagnostics.trace)
    failure.language, failure.runner, failure.counts = language or None, diagnostics.tool, diagnostics.counts
    return failure


def of_build(result: RunResult, text: str) -> Failure | None:
    """What a compiler or a package manager said where a run failed before any test did."""
    if result.traces or result.failing_tests or any(result.counts.values()):
        return None
    refused = of_diagnostics(text, linters=False)
    if refused is not None:
        return refused
    message = messages.first_of(messages.PROGRAMS, text)
    if message is None or (
        message.kind is not FailureKind.COMPILE and message.type not in ("PackageNotFound", "UsageError")
    ):
        return None
    return Failure(message.kind, message.type, message.text, subject=masked(message.subject))
