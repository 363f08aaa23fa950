"""What the results of agents' own tools say: editors, viewers, searches."""

from __future__ import annotations

from analyzer.failures import messages
from analyzer.failures.of_trace import of_trace
from analyzer.failures.reading import Reading, first_line, subject
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind

_FEW_LINES = 5
"""A reading tool that answers in fewer lines than this and ends by naming what it was asked for has shown nothing."""
_LABELS = frozenset({"error", "errors", "failed", "failure"})
"""First lines that only announce what comes."""
_LONGEST_TRACE = 20_000
"""Characters of a long answer that begins with an error in which its trace must stand."""


def of_tool(reading: Reading, text: str, *, fails: bool) -> Failure | None:
    """The failure that the result of a tool which is no shell shows. `fails` is True when the log says that there is
    one."""
    shows_content = reading.operation.kind in (Kind.READ, Kind.SEARCH)
    message = messages.at_start(text, anywhere=not shows_content)
    if (
        shows_content
        and (message is None or message.kind is FailureKind.USAGE)
        and text.strip().count("\n") < _FEW_LINES
    ):
        last = messages.at_start(text.strip().rsplit("\n", 1)[-1], anywhere=False)
        named = last is not None and last.subject is not None and last.subject in reading.operation.target
        message = last if named else message
    if message is None:
        return of_trace(reading, text, unsure=True) if fails and not shows_content else None
    if shows_content and not fails and message.kind in (FailureKind.EDIT_REFUSED, FailureKind.USAGE):
        return None
    if reading.is_error is False and message.kind not in (FailureKind.EDIT_REFUSED, FailureKind.LIMIT):
        return None
    if not fails and message.type in ("Error", "Rejected") and len(text.strip()) > 2_000:
        shown = None if shows_content else of_trace(reading, text[:_LONGEST_TRACE], unsure=True)
        return shown if shown is not None and shown.frames else None
    if message.type == "EditNoMatch":
        return Failure(
            message.kind, message.type, "the text to be replaced is not in the file", subject=reading.operation.path
        )
    if message.type == "PatchFailed":
        return Failure(
            message.kind, message.type, first_line(message.text).split(" in /", 1)[0], subject=reading.operation.path
        )
    if message.type == "EditRefused":
        return Failure(
            FailureKind.EDIT_REFUSED, "EditRefused", message.text.removeprefix("- "), subject=reading.operation.path
        )
    about = subject(reading.operation, reading.tool) if message.kind is FailureKind.TIMEOUT else None
    trace = of_trace(reading, text, unsure=True)
    if trace is not None and message.kind is FailureKind.OTHER:
        return trace
    said = first_line(message.text)
    if said.rstrip(": ").lower() in _LABELS:
        said = first_line(text.partition(message.text)[2]) or said
    return Failure(message.kind, message.type, said, subject=about)
