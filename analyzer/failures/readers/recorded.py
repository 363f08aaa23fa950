"""The failure of a result whose text shows no error that we know, though the log says that it failed.

A check that shows what it objects to by a mark beside a line of source, and says nothing else.
"""

from __future__ import annotations

import re
from itertools import pairwise

from analyzer.failures.evidence import Reading, first_line
from analyzer.failures.messages.search import at_start, sharpest_line, typed_error
from analyzer.failures.readers.errors import failure_of_diagnostics, is_linter
from analyzer.failures.readers.self_report import self_report
from analyzer.model.failure import Failure, Frame
from analyzer.model.words import FailureKind, FrameRole, Kind
from analyzer.text.late import late
from analyzer.text.plain import is_blanked

_ROW = late(r"^[ \t]{0,12}(?P<line>\d{1,7})(?P<sign>[│|█▶→>:]) ?(?P<code>.*)$")
_FILE = late(r"^(?P<file>[\w./\\~@+-]{1,300}\.\w{1,12}):$")
_MARKS = frozenset("█▶→>")


def marked_line(text: str) -> tuple[int, str, str | None] | None:
    """The first marked line of a numbered listing, most of whose lines carry another sign, by its number, with its text
    and the file that the listing is headed with; None without one."""
    file: str | None = None
    rows: list[tuple[int, str, str, str | None]] = []
    for line in text.splitlines():
        found = _ROW.match(line.rstrip())
        if found is not None:
            rows.append((int(found["line"]), found["sign"], found["code"].strip(), file))
        elif (heading := _FILE.match(line.strip())) is not None:
            file = heading["file"]
    marked = [row for row in rows if row[1] in _MARKS and row[2]]
    plain = [row for row in rows if row[1] not in _MARKS]
    if not marked or not plain or not any(one[0] + 1 == other[0] for one, other in pairwise(rows)):
        return None
    number, _, code, where = marked[0]
    return number, code, where


_DIAGNOSTIC = late(r"^[^\s:]+:\d+(?::\d+)?: ?[^\n]{3,300}|^ +\d+:\d+ +error [^\n]{3,300}", re.MULTILINE)
_SIGNALS = {
    132: "illegal instruction",
    134: "aborted",
    135: "bus error",
    136: "arithmetic exception",
    137: "killed",
    139: "segmentation fault",
}
"""Exit codes by which a shell says that a signal ended the program."""


def explanation(reading: Reading, text: str, *, passed: bool = False) -> Failure:
    """The log says that it failed; the text shows no error that we know. Its sharpest line is the best there is.
    `passed` is True where a report in it says that all tests passed: then it's something else on the command line that
    failed."""
    commands, runner = reading.operation.commands, reading.operation.runner
    message = at_start(text)
    if message is not None:
        return Failure(message.kind, message.type, first_line(message.text))
    shell = reading.operation.command is not None
    line = None if is_blanked(text) else sharpest_line(text, reading.operation.command or "", last=shell)
    code = f"exit code {reading.exit_code}" if reading.exit_code is not None else "failed"
    if any(is_linter(name) for name in (*reading.operation.runners, *(() if shell else (reading.tool.lower(),)))):
        found = failure_of_diagnostics(text, linters=True, warnings=True)
        marked = marked_line(text) if found is None else None
        if marked is not None:
            number, line, file = marked
            said = f"line {number} is marked without a message: {line}"
            frames = (Frame(file, number, None, FrameRole.UNKNOWN, line),) if file else ()
            return Failure(FailureKind.LINT, "LintError", said, runner=runner, frames=frames, unexplained=True)
        diagnostic = _DIAGNOSTIC.search(text)
        said = diagnostic.group().strip() if diagnostic else line or code
        return found or Failure(FailureKind.LINT, "LintError", said, runner=runner)
    if reading.exit_code in _SIGNALS:
        signal = _SIGNALS[reading.exit_code]
        said = f"{line}: {signal}" if line else signal
        return Failure(FailureKind.CRASH, "Crash", said, runner=runner, subject=reading.subject)
    if reading.exit_code == 124 and "timeout" in (reading.operation.command or ""):
        return Failure(FailureKind.TIMEOUT, "Timeout", "stopped by `timeout`", subject=reading.subject)
    if reading.operation.kind is Kind.TEST and not passed:
        return Failure(FailureKind.TEST, "TestFailure", self_report(text) or line or code, runner=runner)
    if runner is not None and not passed:
        return Failure(FailureKind.COMPILE, "BuildError", self_report(text) or line or code, runner=runner)
    typed = typed_error(line) if line else None
    if typed is not None:
        return Failure(FailureKind.EXCEPTION, *typed, subject=reading.subject)
    name = commands[-1].program if commands and not is_blanked(commands[-1].program) else reading.tool
    kind = f"exit {reading.exit_code}" if reading.exit_code is not None else "Error"
    return Failure(FailureKind.OTHER, kind, line or f"{name}: {code}", subject=reading.subject)
