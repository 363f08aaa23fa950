"""What the harness says that ran a command: that it took too long, or that the call can't be run."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.failures.evidence import Evidence, Reading, Strength, first_line
from analyzer.failures.messages.search import at_start
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """The timeout or the refusal that the first or the last line of a result tells of."""
    message = at_start(text, anywhere=False) or at_start(text.rstrip().rsplit("\n", 1)[-1], anywhere=False)
    if message is None or message.kind not in (FailureKind.TIMEOUT, FailureKind.INVALID_CALL):
        return
    known = reading.is_error is not None or reading.exit_code is not None
    if not known and reading.operation.kind in (Kind.READ, Kind.SEARCH) and text.strip().count("\n") > 1:
        return
    about = reading.subject if message.kind is FailureKind.TIMEOUT else None
    yield Evidence(
        "harness", Strength.PLAIN, Failure(message.kind, message.type, first_line(message.text), subject=about)
    )
