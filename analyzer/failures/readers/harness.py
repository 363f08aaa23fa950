"""What the harness says that ran a command: it took too long, it's still running, it wasn't run at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.failures.detached import still_runs, went_quiet
from analyzer.failures.evidence import Evidence, Exposure, Indicates, Reading, Strength, first_line, span_of
from analyzer.failures.messages.harness import HARNESS
from analyzer.failures.messages.search import at_start
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late

_OF_HARNESSES = frozenset({"Timeout", "InvalidCall", "FormatError"})
_MANY_LINES = 20
"""Lines of an answer that goes on as if nothing were wrong."""
_MOST_LINES = 3
"""Lines at either end of a result in which the harness speaks."""
_LONGEST_LINE = 600


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """What the first and the last lines of a result tell of how the call was run."""
    message = at_start(text, anywhere=False) or at_start(text.rstrip().rsplit("\n", 1)[-1], anywhere=False)
    if message is not None and message.type in _OF_HARNESSES:
        known = reading.is_error is not None or reading.exit_code is not None
        shows = reading.operation.kind in (Kind.READ, Kind.SEARCH)
        goes_on = message.kind is FailureKind.INVALID_CALL and text.strip().count("\n") > _MANY_LINES
        if not goes_on and (known or not shows or text.strip().count("\n") <= 1):
            about = reading.subject if message.kind is FailureKind.TIMEOUT else None
            failure = Failure(message.kind, message.type, first_line(message.text), subject=about)
            yield Evidence("harness", span_of(text, message.text), Strength.PLAIN, failure, own=True)
    yield from _around(reading, text)


_LEFT_OUT = late(
    r"\W{0,3}(?:old |previous |earlier )?(?:tool )?(?:results?|outputs?)(?: content)? (?:was |has been )?"
    r"(?:cleared|omitted|removed)\b[^\n]{0,80}$",
    re.IGNORECASE,
)
"""What stands for a result that isn't in the log any more."""


def _around(reading: Reading, text: str) -> Iterator[Evidence]:
    if len(text) < _LONGEST_LINE and _LEFT_OUT.match(text.strip()):
        yield Evidence("harness", (0, len(text)), Strength.SURE, own=True, says=Indicates.NOTHING)
        return
    shown = reading.exposure is Exposure.SHOWN
    edges = _edges(text, _MOST_LINES)
    last = edges[0] if edges else ""
    if went_quiet(last) or (shown and still_runs(last, bracketed=True)):
        yield Evidence("harness", span_of(text, last), Strength.SURE, own=True, says=Indicates.NOTHING)
        return
    if shown and text.strip().count("\n"):
        return
    rows = HARNESS.candidates("\n".join(edges))
    for line in edges:
        for row in rows:
            if (found := row.pattern.match(line)) is not None:
                about = reading.subject if row.kind is FailureKind.TIMEOUT else None
                failure = Failure(row.kind, row.type, found.group().strip(" []()<>")[:500], subject=about)
                strength = Strength.SURE if len(text) < _LONGEST_LINE else Strength.PLAIN
                yield Evidence("harness", span_of(text, found.group()), strength, failure, own=True)
                return
        if not shown and still_runs(line):
            yield Evidence("harness", span_of(text, line), Strength.SURE, own=True, says=Indicates.NOTHING)
            return


def _edges(text: str, most: int) -> list[str]:
    """The last and the first lines of a text that say something."""
    end = [line.strip() for line in text[-most * _LONGEST_LINE :].splitlines() if line.strip()][-most:]
    start = [line.strip() for line in text[: most * _LONGEST_LINE].splitlines() if line.strip()][:most]
    return [line[:_LONGEST_LINE] for line in (*reversed(end), *start)]
