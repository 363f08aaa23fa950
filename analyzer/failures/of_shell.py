"""What shells, well-known programs and scripts say of themselves."""

from __future__ import annotations

from analyzer.failures import messages
from analyzer.failures.prose import is_prose
from analyzer.failures.reading import Reading, first_line, masked, subject
from analyzer.failures.self_report import caught_error, self_report
from analyzer.model.action import Operation
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind


def of_timeout(reading: Reading, text: str) -> Failure | None:
    """The timeout that the first or the last line of a result tells of."""
    message = messages.at_start(text, anywhere=False) or messages.at_start(
        text.rstrip().rsplit("\n", 1)[-1], anywhere=False
    )
    if message is None or message.kind not in (FailureKind.TIMEOUT, FailureKind.INVALID_CALL):
        return None
    known = reading.is_error is not None or reading.exit_code is not None
    if not known and reading.operation.kind in (Kind.READ, Kind.SEARCH) and text.strip().count("\n") > 1:
        return None
    about = subject(reading.operation, reading.tool) if message.kind is FailureKind.TIMEOUT else None
    return Failure(message.kind, message.type, first_line(message.text), subject=about)


def of_shell(operation: Operation, text: str, *, fails: bool) -> Failure | None:
    """What the shell or a well-known program says. `fails` is True where nothing says that the command succeeded."""
    command = operation.command or ""
    message = messages.first_of(messages.SHELL, text)
    if (fails or message is not None) and is_prose(command, text):
        return Failure(FailureKind.INVALID_CALL, "ProseInShell", "the shell was given a sentence instead of a command")
    if message is not None and _is_own(operation, message, fails=fails):
        return Failure(message.kind, message.type, message.text, subject=masked(message.subject))
    if not fails:
        return None
    if operation.kind not in (Kind.READ, Kind.SEARCH):
        message = messages.first_of(messages.CAUSES, text) or messages.first_of(messages.PROGRAMS, text)
        return (
            Failure(message.kind, message.type, message.text, subject=masked(message.subject))
            if message is not None
            else None
        )
    message = messages.first_of(messages.ACCESS, text)
    if message is None and text.startswith("fatal: ") and any(entry.program == "git" for entry in operation.commands):
        return Failure(FailureKind.OTHER, "GitError", first_line(text))
    if message is None:
        return None
    speaker = message.text.split(":", 1)[0].rsplit("/", 1)[-1]
    if speaker not in {entry.program for entry in operation.commands} and not _speaks_of(
        command, message.subject or "\0"
    ):
        return None
    if speaker == "grep" and len(operation.commands) == 1 and text.strip().count("\n") > 5:
        return None
    return Failure(message.kind, message.type, message.text, subject=masked(message.subject))


def _is_own(operation: Operation, message: messages.Message, *, fails: bool) -> bool:
    """Whether a shell's message is about this command line and not part of a text that the command shows."""
    if operation.kind not in (Kind.READ, Kind.SEARCH):
        return fails or _speaks_of(operation.command or "", message.subject)
    if message.kind is FailureKind.COMMAND_NOT_FOUND:
        return message.subject in {entry.program for entry in operation.commands}
    return _speaks_of(operation.command or "", message.subject)


def of_script(operation: Operation, text: str) -> Failure | None:
    """A script that says of itself that it failed, or that ends with an error that it caught."""
    if operation.kind not in (Kind.RUN, Kind.TEST) or operation.runner or not operation.commands:
        return None
    if not any(
        entry.program.startswith(("python", "node", "ruby", "./")) or entry.program.endswith((".py", ".js", ".sh"))
        for entry in operation.commands
    ):
        return None
    line = self_report(text)
    if line is not None:
        return Failure(FailureKind.TEST, "CheckFailed", line)
    line = caught_error(text)
    return Failure(FailureKind.EXCEPTION, "CaughtError", line) if line is not None else None


def _speaks_of(command: str, subject: str | None) -> bool:
    if subject is None:
        return True
    if subject in command:
        return True
    return subject.strip("'\"`").rsplit("/", 1)[-1] in command
