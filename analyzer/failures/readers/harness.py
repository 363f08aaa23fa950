"""What the harness says that ran a command: it took too long, it's still running, it wasn't run at all.

Commands that a tool no longer waits for, and that run on: a limit ended the wait, not the command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from analyzer.failures.evidence import Evidence, Exposure, Indicates, Reading, Strength, first_line, span_of
from analyzer.failures.messages.search import at_start
from analyzer.failures.messages.tables import HARNESS
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late

_RUNS_ON = late(
    r"(?i)\b(?:(?:is |now |continu\w{2,4} |keeps )?running|(?:has been |was |is )?(?:moved|sent|detached)"
    r"|continues|runs on) (?:on )?(?:to |in(?:to)? )(?:the )?background\b"
)
_ENDED = late(r"(?i)\b(?:killed|terminated|stopped|aborted|not|cannot|can't|instead|should|try|consider|use)\b")
_LIMIT = late(r"(?i)\btim(?:ed?|e-?s|ing)[- ]?out\b|\b(?:time ?)?limit\b|\bafter \d[\d.]* ?(?:m?s|sec|min)")
_EDGE = 400
"""Characters at either end of a result in which a tool speaks."""


def runs_on(text: str) -> bool:
    """Whether the first or the last lines of a result say that a limit was reached and, in the same line or the next,
    that the command runs on in the background; not where they say that it was ended, or advise to run it so."""
    for edge in (text[:_EDGE], text[-_EDGE:]):
        lines = ["", *(line for line in edge.splitlines() if line.strip())]
        for before, line in pairwise(lines):
            if _RUNS_ON.search(line) is None or _ENDED.search(line) is not None:
                continue
            if _LIMIT.search(line) is not None or (_LIMIT.search(before) and not _ENDED.search(before)):
                return True
    return False


_STILL = late(
    r"^\W{0,3}(?:(?:the )?(?:command|process|program|script|task)\b[^\n]{0,60} (?:is )?(?:still )?running\b(?! out)"
    r"|still running\b|running in (?:the )?background\b|command (?:is )?running in (?:the )?background\b)[^\n]{0,200}$",
    re.IGNORECASE,
)
_QUIET = late(
    r"^\W{0,3}(?:the |this |your )?(?:command|process|program|script|task)\b[^\n]{0,60} no new output (?:after|for|in) "
    r"\d[^\n]{0,400}?\b(?:wait|interact|interrupt|still)\b",
    re.IGNORECASE,
)
_BRACKETS = {"<": ">", "[": "]", "(": ")"}


def still_runs(line: str, *, bracketed: bool = False) -> bool:
    """Whether a line is a tool's, which says that it handed the call back while the command runs. With `bracketed` the
    line has to be in brackets, as in a text that is shown."""
    if bracketed and (not line or _BRACKETS.get(line[0]) != line[-1]):
        return False
    return _STILL.match(line) is not None or went_quiet(line)


def went_quiet(line: str) -> bool:
    """Whether a line is a tool's, which says that it waits no longer for a command that prints nothing and runs on."""
    return _QUIET.match(line) is not None


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
    most = _MOST_LINES * _LONGEST_LINE
    end = [line.strip() for line in text[-most:].splitlines() if line.strip()][-_MOST_LINES:]
    start = [line.strip() for line in text[:most].splitlines() if line.strip()][:_MOST_LINES]
    edges = [line[:_LONGEST_LINE] for line in (*reversed(end), *start)]
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
