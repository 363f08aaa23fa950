"""Text -> evidence -> verdict: readers in order find evidence in a result, and one place weighs what they found.

No flag of any format can be trusted by itself: failing tests behind a pipe exit with 0, a search that finds nothing
exits with 1, and a file that is shown may contain any error there is. So what was run decides who reads its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analyzer.failures.envelope import is_difference, opened
from analyzer.failures.evidence import Evidence, Exposure, Reading, Verdict
from analyzer.failures.layout import only_line
from analyzer.failures.readers import (
    arguments,
    errors,
    harness,
    http,
    programs,
    reports,
    self_report,
    statements,
    structured,
    tools,
    verdicts,
)
from analyzer.failures.readers.harness import runs_on
from analyzer.failures.weighing import marked, weigh
from analyzer.model.failure import Failure
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind, Mark, Status, StatusSource
from analyzer.text.late import Hints


class Reader(Struct, frozen=True):
    """What finds one sort of evidence, and texts of which one occurs in every result that it can read. What is `quoted`
    may as well be a part of something that is shown."""

    read: Callable[[Reading, str], Iterator[Evidence]]
    hints: Hints | None = None
    quoted: bool = False


_REPORTS = Reader(reports.read, quoted=True)
_HARNESS = Reader(harness.read)
_DIAGNOSTICS = Reader(errors.read_diagnostics)
_TRACES = Reader(errors.read_traces, quoted=True)
_SHELL = Reader(programs.read_known)
_OWN_MESSAGES = Reader(programs.read_form, Hints(": "))
_SELF_REPORT = Reader(self_report.read)
_TOOLS = Reader(tools.read)
_ARGUMENTS = Reader(arguments.read)
_STRUCTURED = Reader(structured.read, Hints("{", "Fault", "<Error"))
_HTTP = Reader(http.read)
_STATEMENTS = Reader(statements.read)
_VERDICTS = Reader(verdicts.read, Hints(*verdicts.HINTS))
_EXCEPTIONS = Reader(
    errors.read_exception,
    Hints("Error", "Exception", "Failure", "Fault", "Interrupt", "error", "exception"),
    quoted=True,
)

READERS = {
    Exposure.RAN: (
        *(_REPORTS, _HARNESS, _DIAGNOSTICS, _TRACES, _SHELL, _OWN_MESSAGES, _SELF_REPORT, _STRUCTURED),
        *(_EXCEPTIONS, _HTTP, _TOOLS, _ARGUMENTS, _VERDICTS, _STATEMENTS),
    ),
    Exposure.ANSWERED: (
        *(_HARNESS, _STRUCTURED, _REPORTS, _HTTP, _TRACES, _EXCEPTIONS),
        *(_TOOLS, _ARGUMENTS, _SHELL, _DIAGNOSTICS, _STATEMENTS),
    ),
    Exposure.SHOWN: (*(_HARNESS, _STRUCTURED, _HTTP, _TOOLS, _ARGUMENTS, _REPORTS, _TRACES, _EXCEPTIONS, _STATEMENTS),),
}
"""The readers in the order in which they're heard, the sharpest first."""
_OF_VIEWERS = (_HARNESS, _SHELL, _OWN_MESSAGES)
"""Who reads what a command shows: only the shell and the programs themselves speak there."""


def read(reading: Reading) -> Verdict:
    """The verdict on one result."""
    verdict = _read(reading)
    if verdict.failure is not None:
        verdict.failure.labelled = _is_labelled(verdict.failure, reading.text or "")
    return verdict


_SUMMED_UP = frozenset({FailureKind.TEST, FailureKind.COMPILE, FailureKind.LINT})
"""Failures whose messages say nothing without a word for what sort they are: names of tests, places in files."""
_COMMON = frozenset({"Error", "Failed", "Timeout", "Rejected"})
"""Types that are also common words: one counts as named only right before the message."""


def _is_labelled(failure: Failure, text: str) -> bool:
    """Whether nothing in a result names the type of its failure."""
    if failure.type is None or not failure.message or (failure.kind in _SUMMED_UP and failure.type != "CheckFailed"):
        return False
    if failure.type in _COMMON:
        return f"{failure.type}: {failure.message[:12]}" not in text
    return failure.type not in text


_DETACHED = Verdict(
    Status.UNKNOWN, StatusSource.INFERRED, None, "the result says that the command runs on in the background", 0.9
)


def _read(reading: Reading) -> Verdict:
    if reading.text is None and reading.mark is None:
        return Verdict(Status.UNKNOWN, StatusSource.INFERRED, decided_by="no result is recorded")
    prepared, text = opened(reading)
    if reading.mark is Mark.TIMEOUT and reading.exit_code is None and runs_on(text):
        return _DETACHED
    if reading.mark is not None:
        failure = marked(reading, reading.mark, text)
        return Verdict(Status.ERROR, StatusSource.RECORDED, failure, f"recorded as {reading.mark}", 1.0)
    verdict = weigh(prepared, text, _evidence(prepared, text), recorded=reading)
    timed_out = verdict.failure is not None and verdict.failure.kind is FailureKind.TIMEOUT
    if timed_out and reading.is_error is not True and reading.exit_code is None and runs_on(text):
        return _DETACHED
    if verdict.status is Status.OK and verdict.source is StatusSource.INFERRED and (line := only_line(text)):
        again = weigh(prepared, line, _evidence(prepared, line), recorded=reading)
        if again.status is Status.ERROR:
            decided = f"{again.decided_by}, which may also be the one line of a file"
            return Verdict(Status.UNKNOWN, StatusSource.INFERRED, None, decided, 0.3)
    return verdict


def _evidence(reading: Reading, text: str) -> Iterator[Evidence]:
    """What the readers find, the sharpest first; a reader isn't asked before somebody wants to hear it."""
    if reading.operation.command is None and is_difference(text):
        return
    shown, by_command = reading.exposure is Exposure.SHOWN, reading.operation.command is not None
    content = shown and reading.may_be_content
    for reader in _OF_VIEWERS if by_command and shown else READERS[Exposure.RAN if by_command else reading.exposure]:
        if content and reader.quoted:
            continue  # it would weigh nothing
        if reader.hints is None or reader.hints.any_within(text):
            yield from reader.read(reading, text)
