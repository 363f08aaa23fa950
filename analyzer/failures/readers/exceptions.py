"""A line that names an exception and has no trace: as all that came back, as the head of it, or as its end."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.failures.evidence import Evidence, Exposure, Reading, Strength
from analyzer.failures.readers.stack_traces import failure_of
from analyzer.failures.trace import StackTrace
from analyzer.model.words import FailureKind
from analyzer.text.late import late

_LINE = late(
    r"(?:(?:PHP )?(?:Fatal|Parse) error: {1,2})?(?:(?:Uncaught|Unhandled|error:|Error:|ERROR:?|Exception:) )?"
    r"(?P<type>(?:[A-Za-z_]\w{0,60}(?:\.|::|\\)){0,8}[A-Z]\w{0,80}(?:Error|Exception|Failure|Fault|Interrupt)"
    r"|(?:[a-z_]\w{0,60}\.){1,8}(?:errors?|exceptions?)\.[A-Z]\w{0,80})(?: \[\w{1,60}\])?(?: ?: "
    r"(?P<message>\S[^\n]{0,1000})"
    r"|\((?P<arguments>['\"][^\n]{0,500})\)|:?)[ \t]*$"
)
_LONGEST_LINE = 1_500


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """The exception that the first line or the last line of a result names. One that the command line itself prints
    (`print(f"TypeError: {e}")`) was caught by it."""
    body = text.strip()
    moved = len(text) - len(text.lstrip())
    first, last = body.partition("\n")[0], body.rpartition("\n")[2]
    for line, start in ((first, moved), (last, moved + len(body) - len(last))):
        if len(line) < _LONGEST_LINE and (found := _LINE.match(line)) is not None:
            if f"{found['type']}:" in (reading.operation.command or ""):
                continue
            message = found["message"] or (found["arguments"] or "").strip("'\"")
            following = body.partition("\n")[2].strip().partition("\n")[0] if line is first and not message else ""
            failure = failure_of(StackTrace([], found["type"], (message or following).strip()[:500]))
            if reading.exposure is not Exposure.RAN and failure.kind is FailureKind.EXCEPTION:
                failure.kind = FailureKind.OTHER  # the tool's own code raised it, not the agent's
            yield Evidence("exception", (start, start + len(line)), Strength.PLAIN, failure)
            return
