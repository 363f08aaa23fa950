"""The one place that weighs evidence with what was run and what the log recorded."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.commands.table import Does, knows
from analyzer.failures.command_line import hides, is_answer
from analyzer.failures.evidence import Evidence, Exposure, Indicates, Reading, Strength, Verdict, closes, first_line
from analyzer.failures.messages.decision import decision_in, held_back, is_about_a_call, names_a_person
from analyzer.failures.messages.search import at_start
from analyzer.failures.readers.arguments import sharpen
from analyzer.failures.readers.recorded import explanation
from analyzer.model.failure import USER_REJECTED, Failure
from analyzer.model.struct import replace
from analyzer.model.words import FailureKind, Kind, Mark, Status, StatusSource

_MARKS = {
    Mark.DENIED: (FailureKind.DENIED, USER_REJECTED),
    Mark.CASCADE: (FailureKind.CASCADE, "Cancelled"),
    Mark.REJECTED: (FailureKind.INVALID_CALL, "InvalidCall"),
    Mark.INTERRUPTED: (FailureKind.DENIED, "Interrupted"),
    Mark.TIMEOUT: (FailureKind.TIMEOUT, "Timeout"),
}
_RECORDED = {
    "permission": FailureKind.PERMISSION,
    "file_not_found": FailureKind.NOT_FOUND,
    "is_a_directory": FailureKind.NOT_FOUND,
    "limit": FailureKind.LIMIT,
    "output_limit": FailureKind.LIMIT,
}
"""What the words mean by which Inspect types a tool's error."""
_FEW_LINES = 5
_FIRST_LINES = {"diagnostics": 3, "stack-trace": 1}
"""Lines by which a compiler may say what it's at before it complains, or a program what it did before it crashed."""
_LONGEST_QUOTE = 120
_SAYS_LITTLE = frozenset({FailureKind.OTHER, FailureKind.TEST, FailureKind.COMPILE, FailureKind.LINT})
_GENERAL = frozenset({None, "Error", "TestFailure", "BuildError", "LintError", "CheckFailed"})
"""What a failure is called of which only the command, or the word "error", says what it is."""


def weigh(reading: Reading, text: str, evidence: Iterable[Evidence], *, recorded: Reading) -> Verdict:
    """The verdict on a result. A call that waits for somebody's leave did not run: what it would have run says nothing
    about its failure, and without a flag nobody knows that it succeeded. A recorded error that is a person's decision
    is called that, whatever the person's feedback speaks of."""
    verdict = _weighed(reading, text, evidence, recorded=recorded)
    decided = decision_in(text) if recorded.is_error and reading.exit_code is None else None
    found = verdict.failure
    if decided is not None and found is not None and (names_a_person(decided) or _says_little(found)):
        return replace(verdict, failure=Failure(FailureKind.DENIED, USER_REJECTED, decided, recorded=True))
    waits = held_back(text) if reading.exit_code is None else None
    if waits is None:
        return verdict
    failure = verdict.failure
    if failure is not None and _says_little(failure):
        line = failure.message if held_back(failure.message) is not None else waits
        held = Failure(FailureKind.DENIED, "ApprovalNeeded", line, recorded=failure.recorded)
        return replace(verdict, failure=held)
    inferred = verdict.status is Status.OK and verdict.source is StatusSource.INFERRED
    if inferred and reading.exposure is not Exposure.SHOWN and is_about_a_call(waits):
        decided = f'"{waits[:_LONGEST_QUOTE]}" says that the call may not have run'
        return Verdict(Status.UNKNOWN, StatusSource.INFERRED, None, decided, 0.3)
    return verdict


def _says_little(failure: Failure) -> bool:
    if failure.frames or failure.failing_tests or failure.counts:
        return False
    return failure.kind in _SAYS_LITTLE and failure.type in _GENERAL


def _weighed(reading: Reading, text: str, evidence: Iterable[Evidence], *, recorded: Reading) -> Verdict:
    """The verdict: the first piece of evidence that is strong enough for what the log recorded. A failure that is
    recorded needs but a hint, a recorded success that the command line can't hide a failure from only yields to what
    is sure. `recorded` is the result as the log has it, `reading` with what its text says."""
    known = recorded.is_error is not None or recorded.exit_code is not None
    fails = reading.is_error or (reading.exit_code is not None and reading.exit_code != 0)
    answers = bool(fails) and is_answer(reading, text)
    needed = Strength.HINT if fails and not answers else Strength.SURE if _succeeded(reading) else Strength.PLAIN
    passed, failure, running = False, None, None
    doubted: Evidence | None = None
    # What would count in the output of a program is doubted in what a tool answers of which nobody knows what it does.
    unseen = reading.exposure is Exposure.ANSWERED and reading.operation.kind is Kind.OTHER
    for piece in evidence:
        strength = _weight(piece, reading, text)
        passed = passed or piece.says is Indicates.PASSED
        if strength < needed:
            printed = unseen and piece.reader in _PRINTED and piece.says is Indicates.FAILED
            if printed and doubted is None and piece.strength >= Strength.PLAIN and strength >= Strength.HINT:
                doubted = piece
            continue
        if piece.says is Indicates.FAILED:
            failure = piece.failure
            if needed is Strength.HINT or failure is None:
                break
            sharpen(failure, text)
            return Verdict(Status.ERROR, StatusSource.INFERRED, failure, _quoted(piece, text), _SURENESS[strength])
        if needed is Strength.HINT:
            continue
        if piece.says is Indicates.NOTHING:
            running = piece
            continue
        source = StatusSource.RECORDED if known and not answers else StatusSource.INFERRED
        return Verdict(Status.OK, source, None, _quoted(piece, text), _SURENESS[strength])
    if needed is Strength.HINT:
        failure = failure or explanation(reading, text, passed=passed and len(reading.operation.commands) > 1)
        return _failed(reading, text, failure, recorded=recorded)
    handed_back = reading.exit_code is None and reading.operation.command is not None
    if running is not None and (handed_back or not known):
        return Verdict(Status.UNKNOWN, StatusSource.INFERRED, None, _quoted(running, text), _SURENESS[running.strength])
    if answers:
        return Verdict(Status.OK, StatusSource.INFERRED, None, f"exit code {reading.exit_code} is an answer", 0.8)
    if doubted is not None and reading.exit_code is None:
        decided = f"{_quoted(doubted, text)}, which may be about something else"
        return Verdict(Status.UNKNOWN, StatusSource.INFERRED, None, decided, 0.3)
    if known:
        sure = 0.7 if hides(reading.operation) else 0.95
        return Verdict(Status.OK, StatusSource.RECORDED, None, _flag(recorded), sure)
    if reading.exit_code == 0:
        return Verdict(Status.OK, StatusSource.INFERRED, None, "exit code 0 in the result", 0.8)
    if not text.strip() and reading.operation.kind is Kind.SEARCH:
        return Verdict(Status.OK, StatusSource.INFERRED, None, "a search that finds nothing", 0.6)
    if not text.strip():
        return Verdict(Status.UNKNOWN, StatusSource.INFERRED, None, "the result is empty")
    if knows(reading.operation.runner or "", Does.COUNTS) and not passed:
        return Verdict(Status.UNKNOWN, StatusSource.INFERRED, None, "no summary says how the tests went", 0.3)
    return Verdict(Status.OK, StatusSource.INFERRED, None, "nothing in the result speaks of a failure", 0.6)


_PRINTED = frozenset({"diagnostics", "program", "shell", "stack-trace", "test-report"})
"""Readers of what programs print, which nobody writes by hand."""
_SURENESS = {Strength.NONE: 0.0, Strength.HINT: 0.6, Strength.PLAIN: 0.75, Strength.SURE: 0.9}


def _weight(piece: Evidence, reading: Reading, text: str) -> Strength:
    """How much a piece says, seen what the text is: the output of something that ran speaks for itself, an answer
    speaks at its beginning and at its end. What is shown counts only where a tool shows nothing but an error, and not
    what may be the content of a file."""
    exposure = reading.exposure
    if piece.own or exposure is Exposure.RAN:
        return piece.strength
    start, end = piece.span
    if piece.reader == "exception" and exposure is Exposure.ANSWERED and text.strip().count("\n") >= _FEW_LINES:
        end = 0  # the last line of a long answer may be about an error
    above = sum(1 for line in text[:start].splitlines() if any(map(str.isalpha, line)))
    leads = above <= _FIRST_LINES.get(piece.reader, 0)
    last = closes(text, end)
    if exposure is Exposure.ANSWERED:
        return piece.strength if leads or last else min(piece.strength, Strength.HINT)
    return piece.strength if leads and last and not reading.may_be_content else Strength.NONE


def _quoted(piece: Evidence, text: str) -> str:
    """The reader and the line of its piece that says it: of a report the last one, else the first."""
    lines = [line.strip() for line in text[slice(*piece.span)].splitlines() if line.strip()]
    said = (lines[-1] if piece.reader == "test-report" else lines[0]) if lines else ""
    return f"{piece.reader}: {said[:_LONGEST_QUOTE]}"


def _flag(recorded: Reading) -> str:
    """What the log itself says."""
    return f"exit code {recorded.exit_code}" if recorded.exit_code is not None else "the log's flag"


def marked(reading: Reading, mark: Mark, text: str) -> Failure:
    """The failure of a result that the format itself marks as refused, cancelled or stopped."""
    kind, name = _MARKS[mark]
    message = at_start(text)
    first = first_line(text) or name
    if mark is Mark.REJECTED and message is not None and message.kind is not FailureKind.OTHER:
        kind, name, first = message.kind, message.type, message.text.splitlines()[0]
    if mark is Mark.DENIED and (waits := held_back(text)) is not None:
        name, first = "ApprovalNeeded", waits
    about = reading.subject if kind is FailureKind.TIMEOUT else None
    return Failure(kind, name, first, recorded=True, subject=about)


def _failed(reading: Reading, text: str, failure: Failure, *, recorded: Reading) -> Verdict:
    """The verdict on a failure that the log, or an exit code in the text, says that there is. The log's own word for it
    is taken over one that says nothing."""
    sharpen(failure, text)
    if not recorded.is_error and not recorded.exit_code:
        marked_so = reading.exit_code is None
        decided = "an error tag in the result" if marked_so else f"exit code {reading.exit_code} in the result"
        return Verdict(Status.ERROR, StatusSource.INFERRED, failure, decided, 0.95)
    failure.recorded, word = True, recorded.error_type
    if word is not None and failure.kind is FailureKind.OTHER:
        parts = (part.capitalize() if part in (part.lower(), part.upper()) else part for part in word.split("_"))
        failure.type, failure.kind = "".join(parts), _RECORDED.get(word, failure.kind)
    return Verdict(Status.ERROR, StatusSource.RECORDED, failure, _flag(recorded), 1.0)


def _succeeded(reading: Reading) -> bool:
    """Whether the log says that it succeeded, and the command line doesn't hide a failure from it."""
    if reading.exit_code is None and reading.exposure is Exposure.RAN:
        return False  # that a call came back says little of how the command ended
    if reading.operation.command is None and not reading.operation.commands:
        return reading.is_error is False or (reading.is_error is None and reading.exit_code == 0)
    return (reading.is_error is False or reading.exit_code == 0) and not hides(reading.operation)
