"""What compilers, linters and interpreters print of an error: diagnostics, stack traces, and a line that names an
exception and has no trace, as all that came back, as the head of it, or as its end.

The parsers of stack traces are modules for the two most frequent languages, rows for the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from analyzer.commands.table import Does, knows
from analyzer.failures.compilers import COMPILED, LINTED, SYNTAX_ERRORS, diagnostics_in, is_of_data
from analyzer.failures.evidence import Evidence, Exposure, Reading, Strength, closes
from analyzer.failures.traces import StackTrace, javascript, python
from analyzer.failures.traces.table import LANGUAGES
from analyzer.model.failure import Failure, Frame
from analyzer.model.words import FailureKind, FrameRole
from analyzer.text.late import Hints, late
from analyzer.text.names import name_set


class Parser(Protocol):
    """A module that reads one language's traces."""

    @property
    def LANGUAGE(self) -> str:  # noqa: N802 - a module's constant
        """The language's name in reports."""

    def traces(self, text: str) -> list[StackTrace]:
        """Every trace in the order printed, frames from the outermost call to where it was raised."""


PARSERS: tuple[tuple[Parser, Hints], ...] = (
    (python, Hints("Traceback (most recent call last)", "Error: ")),
    (
        javascript,
        Hints("   at ", "\tat ", "\nat ", "@[native code]", *(f"js:{number}:" for number in range(1, 10)), "bundle:"),
    ),
)
"""In the order in which they're asked, with texts of which one is in every output that they can read_traces."""


_HINTS = Hints(*(hint for language in LANGUAGES for hint in language.hints.words))


def parsers_for(text: str) -> Iterator[Parser]:
    """The parsers whose traces a text may hold."""
    yield from (parser for parser, hints in PARSERS if hints.any_within(text))
    if _HINTS.any_within(text):
        yield from (language for language in LANGUAGES if language.hints.any_within(text))


_DEPENDENCY = frozenset({"ModuleNotFoundError", "ImportError", "LoadError"})
_NO_MODULE = (
    *("Cannot find module", "Cannot find package", "Failed opening required"),
    *("cannot find module providing package", "no required module provides package"),
)
_NO_LIBRARY = ": cannot open shared object file"
_NOT_PERMITTED = ("[Errno 1] ", "[Errno 13] ", "[WinError 5] ", "EACCES: ", "EPERM: ")
"""How a message begins by which the system itself, and not the program, refuses something."""
_ASSERTIONS = name_set("""
AssertFailedException Assertion AssertionError AssertionException AssertionFailedError AssertionFailure
ComparisonFailure DocTestFailure Failed MultipleFailuresError TestFailure XunitException
""")
"""Types by which the test frameworks of the languages say that what a test expects isn't so."""

_LONGEST_HEAD = 3_000
"""Characters that may stand between the name of an error and its first frame."""


def read_traces(reading: Reading, text: str) -> Iterator[Evidence]:
    """The last stack trace that the text shows. One that the output ends with, or that was raised in a file that the
    agent had changed, tells of a failure even where somebody caught and printed it."""
    for parser in parsers_for(text):
        found = parser.traces(text)
        named = [
            trace
            for trace in found
            if trace.frames and (reading.edited.like(trace.frames[-1].file) or closes(text, trace.end))
        ]
        for strength, traces in ((Strength.PLAIN, found), (Strength.SURE, named)):
            if traces:
                trace = _last_of(traces)
                yield Evidence("stack-trace", _span(trace, text), strength, failure_of(trace, parser.LANGUAGE))


def last_trace(text: str) -> Failure | None:
    """The failure of the last stack trace in a text, or None."""
    for parser in parsers_for(text):
        if found := parser.traces(text):
            return failure_of(_last_of(found), parser.LANGUAGE)
    return None


def _last_of(found: list[StackTrace]) -> StackTrace:
    return next((trace for trace in reversed(found) if trace.type), found[-1])


def _span(trace: StackTrace, text: str) -> tuple[int, int]:
    """From the heading of a trace to its end; parsers say where it ends, its first frame shows about where it began."""
    places = [place for frame in trace.frames if (place := text.find(frame.file)) >= 0]
    start = min(places, default=max(0, trace.end - len(trace.message) - len(trace.type or "")))
    head = text.rfind(trace.type, 0, start) if trace.type else -1
    if head >= 0 and start - head < _LONGEST_HEAD:
        start = min(start, head)
    opening = text.rfind("\nTraceback (most recent call last)", 0, start)
    if start - max(opening, 0) < _LONGEST_HEAD and text.startswith("Traceback", opening + 1):
        start = opening + 1
    return text.rfind("\n", 0, start) + 1, trace.end or len(text)


def failure_of(trace: StackTrace, language: str | None = None) -> Failure:
    """The failure that a trace describes; its kind follows from the type."""
    frames = tuple(
        Frame(frame.file, frame.line, frame.function, FrameRole.UNKNOWN, frame.code, frame.guard)
        for frame in trace.frames
    )
    kind = FailureKind.EXCEPTION
    name = (trace.type or "").rsplit(".", 1)[-1]
    unloaded = name == "OSError" and _NO_LIBRARY in trace.message
    if unloaded or name in _DEPENDENCY or trace.message.startswith(_NO_MODULE):
        kind = FailureKind.MISSING_DEPENDENCY
    elif trace.message.startswith(_NOT_PERMITTED) or name == "Errno::EACCES":
        kind = FailureKind.PERMISSION
    elif name in _ASSERTIONS or (name == "panic" and trace.message.startswith("assertion ")):
        kind = FailureKind.TEST
    elif name == "UsageError":
        kind = FailureKind.NOT_FOUND if trace.message.startswith("not found: ") else FailureKind.USAGE
    elif name == LINTED:
        kind = FailureKind.LINT
    elif (trace.type in SYNTAX_ERRORS and not is_of_data(trace.message)) or name == COMPILED:
        kind = FailureKind.COMPILE
    elif name in ("TimeoutError", "TimeoutExpired") or (name == "panic" and trace.message.startswith("test timed out")):
        kind = FailureKind.TIMEOUT
    return Failure(kind, trace.type or "Traceback", trace.message, frames=frames, language=language)


_LINE = late(
    r"(?:(?:PHP )?(?:Fatal|Parse) error: {1,2})?(?:(?:Uncaught|Unhandled|error:|Error:|ERROR:?|Exception:) )?"
    r"(?P<type>(?:[A-Za-z_]\w{0,60}(?:\.|::|\\)){0,8}[A-Z]\w{0,80}(?:Error|Exception|Failure|Fault|Interrupt)"
    r"|(?:[a-z_]\w{0,60}\.){1,8}(?:errors?|exceptions?)\.[A-Z]\w{0,80})(?: \[\w{1,60}\])?(?: ?: "
    r"(?P<message>\S[^\n]{0,1000})"
    r"|\((?P<arguments>['\"][^\n]{0,500})\)|:?)[ \t]*$"
)
_LONGEST_LINE = 1_500


def read_exception(reading: Reading, text: str) -> Iterator[Evidence]:
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


def read_diagnostics(reading: Reading, text: str) -> Iterator[Evidence]:
    """The first error of a compiler or, where one ran or the call doesn't show what ran, of a linter. Of a linter
    warnings are enough to explain why it failed."""
    unseen = reading.operation.command is None
    linted = unseen or any(is_linter(name) for name in reading.operation.runners)
    failure = failure_of_diagnostics(text, linters=linted)
    if failure is not None:
        yield Evidence("diagnostics", _span_of_diagnostic(text, failure), Strength.PLAIN, failure)
    elif linted and not unseen and (warned := failure_of_diagnostics(text, linters=True, warnings=True)) is not None:
        yield Evidence("diagnostics", _span_of_diagnostic(text, warned), Strength.HINT, warned)


def _span_of_diagnostic(text: str, failure: Failure) -> tuple[int, int]:
    """The line of the diagnostic: its message may have been put together from several."""
    places = [place for part in failure.message.split(": ") if len(part) > 3 and (place := text.find(part)) >= 0]
    start = min(places, default=0)
    end = text.find("\n", start)
    return text.rfind("\n", 0, start) + 1, end if end >= 0 else len(text)


def is_linter(runner: str | None) -> bool:
    """Whether what ran is a linter, a type checker or a formatter, by itself or as a project's `lint` or `check`."""
    return runner is not None and (
        knows(runner, Does.LINTS | Does.FORMATS)
        or runner.rsplit(" ", 1)[-1].startswith(("lint", "check", "format", "typecheck"))
    )


def failure_of_diagnostics(text: str, *, linters: bool = False, warnings: bool = False) -> Failure | None:
    """The failure that a compiler or, where `linters` says that one may have run, a linter complains of. Nothing but
    warnings is none, unless `warnings` says that they count."""
    found = diagnostics_in(text, linters=linters)
    if found is None or not (warnings or found[0].counts.get("errors")):
        return None
    diagnostics, language = found
    failure = failure_of(diagnostics.trace)
    failure.language, failure.runner, failure.counts = language or None, diagnostics.tool, diagnostics.counts
    return failure
