"""Did this step fail, and how? From the recorded flag, the exit code, and the text read with knowledge of what was run.

No flag of any format can be trusted by itself: failing tests behind a pipe exit with 0, a search that finds nothing
exits with 1, and a file that is shown may contain any error there is. So the command decides what its text can mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.failures import messages
from analyzer.failures.bare import bare, is_linter
from analyzer.failures.of_report import of_build, of_diagnostics, of_report, report
from analyzer.failures.of_shell import of_script, of_shell, of_timeout
from analyzer.failures.of_tool import of_tool
from analyzer.failures.of_trace import of_trace
from analyzer.failures.reading import Reading, Verdict, first_line, subject
from analyzer.failures.validation import sharpen
from analyzer.model.action import Operation
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind, Mark, Status, StatusSource
from analyzer.text.plain import plain, without_notices

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
_EXIT_LINE = re.compile(r"\A(?:Exit code|exit code:?) \d+(?:\n|\Z)")
"""Some harnesses put the code in front of the output; the reading has it apart."""
_LONGEST = 400_000
"""Characters of a result that are read: the first and last half of it where it's longer."""


def read(reading: Reading) -> Verdict:
    """The verdict on one result."""
    if reading.text is None and reading.mark is None:
        return Verdict(Status.UNKNOWN, StatusSource.INFERRED)
    text = without_notices(_EXIT_LINE.sub("", plain(_bounded(reading.text or ""))))
    if reading.mark is not None:
        return Verdict(Status.ERROR, StatusSource.RECORDED, _marked(reading.mark, text, reading))
    recorded = reading.is_error or (reading.exit_code is not None and reading.exit_code != 0)
    known = reading.is_error is not None or reading.exit_code is not None
    if recorded:
        if _is_answer(reading, text):
            shown = _found(reading, text, fails=False)
            return Verdict(Status.ERROR if shown else Status.OK, StatusSource.INFERRED, shown)
        failure = _found(reading, text, fails=True) or bare(reading, text, passed=_all_passed(reading.operation, text))
        failure.recorded = True
        sharpen(failure, text)
        _typed(failure, reading.error_type)
        return Verdict(Status.ERROR, StatusSource.RECORDED, failure)
    failure_or_none = _found(reading, text, fails=False)
    if failure_or_none is not None:
        sharpen(failure_or_none, text)
        return Verdict(Status.ERROR, StatusSource.INFERRED, failure_or_none)
    return Verdict(Status.OK, StatusSource.RECORDED if known else StatusSource.INFERRED)


def _bounded(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return text[: _LONGEST // 2] + "\n" + text[-_LONGEST // 2 :]


def _marked(mark: Mark, text: str, reading: Reading) -> Failure:
    kind, name = _MARKS[mark]
    message = messages.at_start(text)
    first = first_line(text) or name
    if mark is Mark.REJECTED and message is not None and message.kind is not FailureKind.OTHER:
        kind, name, first = message.kind, message.type, message.text.splitlines()[0]
    about = subject(reading.operation, reading.tool) if kind is FailureKind.TIMEOUT else None
    return Failure(kind, name, first, recorded=True, subject=about)


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
    return program in _ANSWER_PROGRAMS and messages.first_of(messages.SHELL + messages.ACCESS, text) is None


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


def _found(reading: Reading, text: str, *, fails: bool) -> Failure | None:
    """The failure that the text shows. `fails` is True when the log already says that there is one."""
    operation = reading.operation
    if not operation.commands and operation.command is None:
        return of_tool(reading, text, fails=fails)
    unsure = fails or not reading.recorded_ok
    timeout = of_timeout(reading, text) if unsure else None
    if operation.kind not in (Kind.TEST, Kind.RUN, Kind.OTHER, Kind.WAIT, Kind.FINISH) and not operation.runner:
        return timeout or of_shell(operation, text, fails=unsure)
    found = report(operation, text, fails=fails)
    if found is not None and found[0].failed:
        return of_build(found[0], text) or of_report(*found)
    if found is not None and not fails:
        return None
    linted = any(is_linter(name) for name in operation.runners)
    return (
        timeout
        or (of_diagnostics(text, linters=linted, weak=fails and linted) if unsure else None)
        or of_trace(reading, text, unsure=unsure)
        or of_shell(operation, text, fails=unsure)
        or of_script(operation, text)
    )


def _all_passed(operation: Operation, text: str) -> bool:
    """Whether a report in the text says that all tests passed, so that something else on the line must have failed."""
    found = report(operation, text, fails=True) if len(operation.commands) > 1 else None
    return found is not None and not found[0].failed
