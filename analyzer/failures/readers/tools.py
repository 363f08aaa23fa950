"""What the results of agents' own tools say: editors, viewers, searches."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.failures.evidence import Evidence, Reading, Strength, first_line, span_of
from analyzer.failures.messages.search import VAGUE, at_start
from analyzer.failures.messages.tables import Message
from analyzer.failures.readers.errors import last_trace
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late

_FEW_LINES = 5
"""A reading tool that answers in fewer lines than this and ends by naming what it was asked for has shown nothing."""
_LABELS = frozenset({"error", "errors", "failed", "failure"})
"""First lines that only announce what comes."""
_LONG = 2_000
"""Characters of an answer that begins with "Error" and goes on for so long that it's hardly about an error."""
_LONGEST_TRACE = 20_000
"""Characters of such an answer in which the trace of an error must stand."""
_FEW_WORDS = frozenset({"Failed", "ServiceError"})
"""Types of messages that are sentences like any other, and count where they're all that was answered."""
_SAYS_LITTLE = frozenset({"UsageError", "Rejected"})
_MANY_LINES = 20
"""Lines of an answer that goes on as if nothing were wrong."""
_NOT_FOUND = late(
    r"(?:Could not|Couldn't|Unable to|Cannot|Can't|Failed to) (?:find|locate) (?!file|path|dir|folder)", re.IGNORECASE
)
"""What a search says that found nothing, which is its answer."""
_SHOWN = (Kind.READ, Kind.SEARCH)
_ANNOUNCES = ("Error: ", "ERROR: ", "error: ")
"""How a viewer begins whose one line says why there's nothing to show."""


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """What the tool says by itself, or the trace that it answers with."""
    shows_content = reading.operation.kind in _SHOWN
    message = _message(reading, text)
    if message is None:
        if not shows_content and (trace := last_trace(text)) is not None:
            yield Evidence("stack-trace", (0, len(text)), Strength.HINT, trace)
        return
    strength = Strength.PLAIN
    lines = text.strip().count("\n") + 1
    ran = reading.operation.command is not None
    if (
        (message.type in _FEW_WORDS and lines > (1 if ran else _FEW_LINES))
        or (message.type in VAGUE and ran and (lines > _FEW_LINES or message.kind is FailureKind.USAGE))
        or (shows_content and message.kind in (FailureKind.EDIT_REFUSED, FailureKind.USAGE))
        or (reading.operation.kind is Kind.SEARCH and _NOT_FOUND.match(message.text))
        or (message.kind is FailureKind.INVALID_CALL and lines > _MANY_LINES)
    ):
        strength = Strength.HINT
    elif _names_itself(reading, message, text) or (message.type == "NothingMatched" and lines <= _FEW_LINES):
        strength = Strength.SURE  # no file holds the sentence that itself isn't there
    elif _is_refusal(reading, message, text) or (
        not (shows_content or ran or message.type in _SAYS_LITTLE) and lines <= _FEW_LINES
    ):
        strength = Strength.SURE
    elif message.type in VAGUE and len(text.strip()) > _LONG:
        shown = None if shows_content else last_trace(text[:_LONGEST_TRACE])
        if shown is not None and shown.frames:
            yield Evidence("stack-trace", (0, len(text)), Strength.PLAIN, shown, own=True)
        strength = Strength.HINT
    yield Evidence("tool-message", span_of(text, message.text), strength, _failure(reading, message, text), own=True)


def _is_refusal(reading: Reading, message: Message, text: str) -> bool:
    """Whether a tool says that it won't: an edit, too much of something, or a viewer whose one line is an error."""
    if message.kind in (FailureKind.EDIT_REFUSED, FailureKind.LIMIT):
        return True
    if reading.operation.kind not in _SHOWN or "\n" in text.strip() or reading.may_be_content:
        return False
    return text.lstrip().startswith(_ANNOUNCES)


def _names_itself(reading: Reading, message: Message, text: str) -> bool:
    """Whether what is shown is one line which says that the very file that was asked for isn't there."""
    path = reading.operation.path
    missing = message.kind in (FailureKind.NOT_FOUND, FailureKind.PERMISSION)
    return missing and path is not None and path in text and "\n" not in text.strip()


def _message(reading: Reading, text: str) -> Message | None:
    """What stands at the start, or as an error at the end of what a command prints; of a reading tool's short answer
    also its last line, where that names the target."""
    shows_content = reading.operation.kind in _SHOWN
    message = at_start(text, anywhere=not shows_content and reading.operation.command is None)
    closing = text.strip().rsplit("\n", 1)[-1]
    command = reading.operation.command or ""
    if (
        message is None
        and reading.operation.kind is Kind.RUN
        and closing.lstrip().startswith(_ANNOUNCES)
        and closing not in command
    ):
        return at_start(closing, anywhere=False)
    if not shows_content or (message is not None and message.kind is not FailureKind.USAGE):
        return message
    if text.strip().count("\n") < _FEW_LINES:
        last = at_start(closing, anywhere=False)
        if last is not None and last.subject is not None and last.subject in reading.operation.target:
            return last
    return message


def _failure(reading: Reading, message: Message, text: str) -> Failure:
    if message.type == "EditNoMatch":
        said = "the text to be replaced is not in the file"
        return Failure(message.kind, message.type, said, subject=reading.operation.path)
    if message.type == "PatchFailed":
        said = first_line(message.text).split(" in /", 1)[0]
        return Failure(message.kind, message.type, said, subject=reading.operation.path)
    if message.type == "EditRefused":
        return Failure(message.kind, message.type, message.text.removeprefix("- "), subject=reading.operation.path)
    if message.kind is FailureKind.OTHER and (trace := last_trace(text)) is not None:
        return trace
    said = first_line(message.text)
    if said.rstrip(": ").lower() in _LABELS:
        said = first_line(text.partition(message.text)[2]) or said
    about = reading.subject if message.kind is FailureKind.TIMEOUT else None
    return Failure(message.kind, message.type, said, subject=about)
