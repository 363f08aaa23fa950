"""From a stack trace to a failure."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.failures.compilers.diagnostic import COMPILED, LINTED
from analyzer.failures.reading import Reading
from analyzer.failures.roles import same_file
from analyzer.failures.trace import Trace
from analyzer.failures.traces.registry import parsers_for
from analyzer.model.failure import Failure, Frame
from analyzer.model.words import FailureKind, FrameRole

_DEPENDENCY = frozenset({"ModuleNotFoundError", "ImportError", "LoadError"})
_NO_GO_PACKAGE = ("cannot find module providing package", "no required module provides package")
_NO_LIBRARY = ": cannot open shared object file"
_NOT_PERMITTED = ("[Errno 1] ", "[Errno 13] ", "[WinError 5] ", "EACCES: ", "EPERM: ")
"""How a message begins by which the system itself, and not the program, refuses something."""
_ASSERTIONS = frozenset(
    {
        *("AssertionError", "Failed", "DocTestFailure"),
        *("TestFailure", "Assertion"),
        *("AssertionFailedError", "MultipleFailuresError", "ComparisonFailure", "AssertionFailure"),
        *("AssertFailedException", "AssertionException", "XunitException"),
    }
)
"""Types by which the test frameworks of the languages say that what a test expects isn't so."""

_LAST_LINES, _LONGEST_END = 2, 20_000
"""How many lines, and characters, may follow a trace that an output ends with."""


def of_trace(reading: Reading, text: str, *, unsure: bool) -> Failure | None:
    """The last stack trace that the text shows. Of a run that is recorded as successful only one that it ends with, or
    one that was raised in a file that the agent had changed: somebody caught and printed it, and it tells of a failure
    all the same."""
    for parser in parsers_for(text):
        found = [trace for trace in parser.traces(text) if unsure or _tells(trace, text, reading.edited)]
        if found:
            trace = next((trace for trace in reversed(found) if trace.type), found[-1])
            failure = failure_of(trace)
            failure.language = parser.LANGUAGE
            return failure
    return None


def _tells(trace: Trace, text: str, edited: Sequence[str]) -> bool:
    if not trace.frames:
        return False
    raised = trace.frames[-1].file
    if any(same_file(raised, path) for path in edited):
        return True
    if len(text) - trace.end > _LONGEST_END:
        return False
    return sum(1 for line in text[trace.end :].splitlines() if line.strip()) <= _LAST_LINES


def failure_of(trace: Trace) -> Failure:
    """The failure that a trace describes; its kind follows from the type."""
    frames = tuple(
        Frame(frame.file, frame.line, frame.function, FrameRole.UNKNOWN, frame.code, frame.guard)
        for frame in trace.frames
    )
    kind = FailureKind.EXCEPTION
    name = (trace.type or "").rsplit(".", 1)[-1]
    if (
        name in _DEPENDENCY
        or trace.message.startswith(
            ("Cannot find module", "Cannot find package", "Failed opening required", *_NO_GO_PACKAGE)
        )
        or (name == "OSError" and _NO_LIBRARY in trace.message)
    ):
        kind = FailureKind.MISSING_DEPENDENCY
    elif trace.message.startswith(_NOT_PERMITTED) or name == "Errno::EACCES":
        kind = FailureKind.PERMISSION
    elif name in _ASSERTIONS or (name == "panic" and trace.message.startswith("assertion ")):
        kind = FailureKind.TEST
    elif name == "UsageError":
        kind = FailureKind.USAGE
    elif name == LINTED:
        kind = FailureKind.LINT
    elif name in ("SyntaxError", "IndentationError", "TabError", COMPILED):
        kind = FailureKind.COMPILE
    elif name in ("TimeoutError", "TimeoutExpired") or (name == "panic" and trace.message.startswith("test timed out")):
        kind = FailureKind.TIMEOUT
    return Failure(kind, trace.type or "Traceback", trace.message, frames=frames)
