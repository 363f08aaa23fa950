"""What the parsers of stack traces and of test runners give back. Traces are read by rows of one reader, or by a module
for those with a shape of their own."""

from __future__ import annotations

from analyzer.model.struct import Struct, field


class RawFrame(Struct, frozen=True):
    """One line of a trace, before anybody says whose code it is. `guard` is the condition under which the shown code
    runs, where the trace shows that too (`if len(knots) < 8` above a `raise`)."""

    file: str
    line: int | None
    function: str | None = None
    code: str | None = None
    guard: str | None = None


class StackTrace(Struct):
    """One stack trace: frames from the outermost call to where it was raised, the error's type and message, and where
    in the text it ends (a character offset)."""

    frames: list[RawFrame]
    type: str | None
    message: str
    end: int = 0


class RunResult(Struct):
    """What a test runner reports: ids of failing tests, counts by word (`failed`, `passed`, `errors`), the traces of
    the failing tests in the order printed, and whether the run as a whole failed."""

    runner: str
    failed: bool
    failing_tests: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    traces: list[StackTrace] = field(default_factory=list)
    message: str = ""
