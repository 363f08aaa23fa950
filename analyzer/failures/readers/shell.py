"""What shells and well-known programs say."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.failures.evidence import Evidence, Exposure, Reading, Strength, first_line, span_of
from analyzer.failures.messages.programs import ACCESS, CAUSES, PROGRAMS, SHELL, WRAPPERS
from analyzer.failures.messages.row import Message
from analyzer.failures.messages.search import first_of
from analyzer.failures.readers.prose import is_prose
from analyzer.model.action import Operation
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind

_EDGE = 600
"""Characters at either end of what a tool answers in which a program may speak."""
_ALONE = {
    "git": ("fatal: ", FailureKind.OTHER, "GitError"),
    "jq": ("parse error: ", FailureKind.USAGE, "InvalidInput"),
}
"""How programs that show content begin when they can't, without their name."""


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """What the shell says, of which what speaks of the command line is sure, and else what a program says."""
    operation = reading.operation
    command = operation.command or ""
    whole = text
    if operation.command is None and text[:1] in ("{", "["):
        return  # data
    if operation.command is None and len(text) > 2 * _EDGE:
        text = f"{text[:_EDGE]}\n{text[-_EDGE:]}"  # what a tool answers speaks at its ends
    message = first_of(SHELL, text)
    if is_prose(command, text):
        yield Evidence(
            "shell",
            (0, len(text)),
            Strength.PLAIN if message is None else Strength.SURE,
            Failure(FailureKind.INVALID_CALL, "ProseInShell", "the shell was given a sentence instead of a command"),
            own=True,
        )
    if message is not None and (strength := _own(operation, message)) is not None:
        yield _evidence(reading, whole, "shell", strength, message)
    if operation.kind not in (Kind.READ, Kind.SEARCH) or reading.exposure is Exposure.ANSWERED:
        message = first_of(CAUSES, text) or first_of(PROGRAMS, text)
        if message is None and not (reading.is_error or reading.exit_code):
            message = first_of(WRAPPERS, text)
        if message is not None:
            yield _evidence(reading, whole, "program", Strength.PLAIN, message)
        return
    message = first_of(ACCESS, text)
    if message is None:
        named = next((_ALONE[entry.program] for entry in operation.commands if entry.program in _ALONE), None)
        if named is not None and text.startswith(named[0]):
            failure = Failure(named[1], named[2], first_line(text))
            yield Evidence("program", span_of(text, failure.message), Strength.PLAIN, failure, own=True)
    elif _could_not_show(operation, message, text):
        yield _evidence(reading, whole, "program", Strength.PLAIN, message)


def _could_not_show(operation: Operation, message: Message, text: str) -> bool:
    """Whether one of the command's programs, or something about its files, says that it can't show what it should."""
    programs = {entry.program for entry in operation.commands}
    speaker = message.text.split(":", 1)[0].rsplit("/", 1)[-1]
    if speaker not in programs and not _speaks_of(operation.command or "", message.subject or "\0"):
        return False
    return not (speaker == "grep" and len(operation.commands) == 1 and text.strip().count("\n") > 5)


def _own(operation: Operation, message: Message) -> Strength | None:
    """How sure it is that a shell's message is about this command line and not part of a text that the command
    shows."""
    if operation.kind not in (Kind.READ, Kind.SEARCH):
        return Strength.SURE if _speaks_of(operation.command or "", message.subject) else Strength.PLAIN
    if message.kind is FailureKind.COMMAND_NOT_FOUND:
        own = message.subject in {entry.program for entry in operation.commands}
    else:
        own = _speaks_of(operation.command or "", message.subject)
    return Strength.SURE if own else None


def _evidence(reading: Reading, whole: str, reader: str, strength: Strength, message: Message) -> Evidence:
    failure = Failure(message.kind, message.type, message.text, subject=message.masked_subject)
    own = reading.operation.command is not None
    start = message.start if own else max(0, whole.find(message.text))
    return Evidence(reader, (start, start + len(message.text)), strength, failure, own=own)


def _speaks_of(command: str, subject: str | None) -> bool:
    if subject is None:
        return True
    if subject in command:
        return True
    return subject.strip("'\"`").rsplit("/", 1)[-1] in command
