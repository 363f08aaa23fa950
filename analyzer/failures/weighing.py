"""The one place that weighs evidence with what was run and what the log recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.failures.evidence import Evidence, Reading, Strength, Verdict, first_line
from analyzer.failures.messages.programs import ACCESS, SHELL
from analyzer.failures.messages.search import at_start, first_of
from analyzer.failures.readers.recorded import explanation
from analyzer.failures.readers.validation import sharpen
from analyzer.model.action import Operation
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Mark, Status, StatusSource

_MARKS = {
    Mark.DENIED: (FailureKind.DENIED, "UserRejected"),
    Mark.CASCADE: (FailureKind.CASCADE, "Cancelled"),
    Mark.REJECTED: (FailureKind.INVALID_CALL, "InvalidCall"),
    Mark.INTERRUPTED: (FailureKind.DENIED, "Interrupted"),
    Mark.TIMEOUT: (FailureKind.TIMEOUT, "Timeout"),
}
_ANSWER_PROGRAMS = frozenset(
    {"grep", "egrep", "fgrep", "rg", "ag", "ack", "diff", "cmp", "test", "[", "which", "pgrep", "type", "command"}
    | {"git-grep", "git-diff", "git-config"}
)
"""Programs whose exit code 1 is an answer ("nothing found", "they differ"), not a failure."""
_RECORDED = {
    "permission": FailureKind.PERMISSION,
    "file_not_found": FailureKind.NOT_FOUND,
    "is_a_directory": FailureKind.NOT_FOUND,
    "limit": FailureKind.LIMIT,
    "output_limit": FailureKind.LIMIT,
}
"""What the words mean by which Inspect types a tool's error."""
_PENDING = 8
"""The exit code by which `gh pr checks` says that checks are still running."""


def weigh(reading: Reading, text: str, evidence: Iterable[Evidence]) -> Verdict:
    """The verdict: the first piece of evidence that is strong enough for what the log recorded. A failure that is
    recorded needs but a hint, a recorded success that the command line can't hide a failure from only yields to what
    is sure."""
    known = reading.is_error is not None or reading.exit_code is not None
    fails = reading.is_error or (reading.exit_code is not None and reading.exit_code != 0)
    answers = bool(fails) and _is_answer(reading, text)
    needed = Strength.HINT if fails and not answers else Strength.SURE if _succeeded(reading) else Strength.PLAIN
    passed = False
    for piece in evidence:
        if piece.failure is None:
            passed = True
        if piece.strength < needed:
            continue
        if piece.failure is not None:
            return _failed(reading, text, piece.failure, recorded=needed is Strength.HINT, source_known=not answers)
        if needed is not Strength.HINT:
            break
    if needed is Strength.HINT:
        several = len(reading.operation.commands) > 1
        failure = explanation(reading, text, passed=passed and several)
        return _failed(reading, text, failure, recorded=True)
    return Verdict(Status.OK, StatusSource.RECORDED if known and not answers else StatusSource.INFERRED)


def marked(reading: Reading, mark: Mark, text: str) -> Failure:
    """The failure of a result that the format itself marks as refused, cancelled or stopped."""
    kind, name = _MARKS[mark]
    message = at_start(text)
    first = first_line(text) or name
    if mark is Mark.REJECTED and message is not None and message.kind is not FailureKind.OTHER:
        kind, name, first = message.kind, message.type, message.text.splitlines()[0]
    about = reading.subject if kind is FailureKind.TIMEOUT else None
    return Failure(kind, name, first, recorded=True, subject=about)


def _failed(reading: Reading, text: str, failure: Failure, *, recorded: bool, source_known: bool = True) -> Verdict:
    if source_known:
        sharpen(failure, text)
    if recorded:
        failure.recorded = True
        _typed(failure, reading.error_type)
    return Verdict(Status.ERROR, StatusSource.RECORDED if recorded else StatusSource.INFERRED, failure)


def _succeeded(reading: Reading) -> bool:
    """Whether the log says that it succeeded, and the command line doesn't hide a failure from it."""
    if reading.operation.command is None and not reading.operation.commands:
        return reading.is_error is False
    return (reading.is_error is False or reading.exit_code == 0) and not _hides(reading.operation)


def _hides(operation: Operation) -> bool:
    """Whether the command line can hide that one of its commands failed: a pipe, a list, several lines."""
    line = operation.command or ""
    return any(mark in line for mark in ("|", ";", "&\n")) or "\n" in line.strip() or line.rstrip().endswith("&")


def _is_answer(reading: Reading, text: str) -> bool:
    """Exit code 1 of a search or comparison is its answer, not a failure."""
    commands = reading.operation.commands
    if not commands:
        return False
    if commands[-1].program in ("ls", "stat") and not text.strip() and "2>" in (reading.operation.command or ""):
        return True
    if commands[-1].program == "gh" and commands[-1].args[:2] == ("pr", "checks") and reading.exit_code == _PENDING:
        return True
    if reading.exit_code != 1:
        return False
    first, last = commands[0], commands[-1]
    if not text.strip() and first.program in _ANSWER_PROGRAMS:
        return True
    program = last.program if last.program != "git" else f"git-{_git_word(last.args)}"
    return program in _ANSWER_PROGRAMS and first_of(SHELL + ACCESS, text) is None


def _typed(failure: Failure, recorded: str | None) -> None:
    """Take the log's own word for the error over one that says nothing."""
    if recorded is None or failure.kind is not FailureKind.OTHER:
        return
    failure.type = "".join(
        part if part != part.lower() and part != part.upper() else part.capitalize() for part in recorded.split("_")
    )
    failure.kind = _RECORDED.get(recorded, failure.kind)


def _git_word(args: Sequence[str]) -> str:
    """The subcommand among git's words, after its global options."""
    skip = False
    for word in args:
        if skip or word.startswith("-"):
            skip = not skip and word in ("-C", "-c", "--git-dir", "--work-tree", "--namespace")
        else:
            return word
    return ""
