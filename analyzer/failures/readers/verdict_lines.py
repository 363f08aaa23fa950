"""The line by which a tool, a script or a task runner sums up: `3 issues:`, `ERROR task failed`,
`script "a" exited with code 1`.

Behind `| head`, `| tail` or `|| true` the exit code is that of another program, and this line is all that is left of
the verdict. A count speaks of a failure only where the call checks something, by its words or by the places that it
lists: how many issues a project has may also be an answer.

Lines at the end of a command's output that say that a step of it failed: `ELIFECYCLE  Command failed with exit code
1.`, `Exit status 2`, `lint: Failed`, `ERR_NO_LOCK  The lock file is missing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.commands.table import Does, knows
from analyzer.failures.evidence import Evidence, Reading, Strength, span_of
from analyzer.failures.messages.search import telling_line
from analyzer.failures.tallies import tally_of
from analyzer.model.failure import Failure
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind
from analyzer.text.late import late

_CLOSING_END = 2_000
_CLOSING_LAST_LINES = 6
_NUMBER = r"[1-9]\d{0,2}\b(?!\.\d)"
_CODE = (
    r"(?:(?:exited|failed|exiting|completed|finished) with (?:an? |the )?(?:non-?zero )?(?:exit )?(?:code|status)?"
    rf":? ?{_NUMBER}"
    rf"|exited \({_NUMBER}\))"
)
_TASK = r"(?:task|target|recipe|script|command|job|step|stage|session)"
_WORK = r"(?:build|compilation|compile|packaging|bundling|evaluation|type ?check|lint)"
_NAME = r"(?: [`'\"]?(?!failed\b)[\w:@/.-]{1,60}[`'\"]?){0,2}"
_LABEL = r"(?:\[[\w./:@-]{1,40}\][ :|]{0,3}|ELIFECYCLE +|[\w.-]{1,40} > )?"
_CLOSING_FAILED = late(
    rf"^{_LABEL}(?:"
    rf"(?:error|failed|[✗✘✖×❌])[:!]? +(?:the )?{_TASK}{_NAME} (?:has )?(?:failed\b(?! to\b)|{_CODE})"
    rf"|{_TASK} [`'\"]?[\w:@/.-]{{1,60}}[`'\"]? (?:has )?(?:failed\b(?! to\b)|{_CODE})"
    rf"|(?:[\w.-]{{1,40}}: )?(?:the )?{_WORK} (?:has )?(?:failed(?:[.!: ]{{0,3}}$|: )|stopped: )"
    rf"|(?:ERROR )?run failed: )",
    re.IGNORECASE,
)
"""Lines that name what failed, or say why."""
_BARE = late(
    rf"^{_LABEL}(?:(?:error:? )?(?:{_TASK}|process) {_CODE}|(?:[\w:@/.-]{{1,60}}: )?{_CODE}"
    rf"|(?:[\w:@/.-]{{1,60}}: )?exit (?:status|code):? {_NUMBER}\W{{0,2}}$|[\w.-]{{1,40}} aborted!$)",
    re.IGNORECASE,
)
"""Lines that give no more than a code."""
_NOTHING_DONE = late(
    rf"^no (?:[\w-]{{1,30}} ){{1,4}}[^\n]{{0,80}}\bexiting with (?:exit )?(?:code|status) {_NUMBER}", re.IGNORECASE
)
_CODED = late(r"^(?:error:? )?\[?ERR_[A-Z\d_]{3,60}\]?:? +\S")
"""An error with a name of its own, as package managers print it."""
_LISTED = late(
    r"^(?P<name>[^\n]{1,120}?)(?P<dots>\.{3,}| ?: )(?:\([^()]{1,60}\))?(?:Failed|FAILED|FAIL)(?: code [1-9]\d*\b.*)?$"
)
"""A row of a list of steps: `lint.......Failed`, `build:esm: Failed`."""
_ENDED_WELL = r"(?:Done|DONE|Passed|PASSED|OK|ok|Success|done|passed|succeeded|Succeeded)"
_ENDED = late(rf"(?<![.: ])[.: ]+(?:\([^()]*\))?{_ENDED_WELL}$")
_DOES = late(
    r"(?:^|[\W_])(?:build|compil\w+|bundle|check\w*|type ?check\w*|lint\w*|tests?|install|format\w*|generate|package"
    r"|docs?|deploy|publish|release|py\d+)(?:[\W_]|$)",
    re.IGNORECASE,
)
"""Names of steps: what stands before a colon may also be a thing whose state is shown."""


class ClosingLine(Struct, frozen=True):
    """A line that says that a step failed. `names_nothing` is True where it gives a code and nothing else."""

    line: str
    names_nothing: bool


def ends_badly(text: str, command: str) -> ClosingLine | None:
    """The line among the last ones that says that a step of `command` failed: of several the first that says which one,
    or why; None where the command prints it itself, or the same step passed afterwards."""
    whole = [line.strip() for line in text[-_CLOSING_END:].splitlines() if line.strip()][-_CLOSING_LAST_LINES:]
    lines = [(line, " ".join(line.split())) for line in whole if line not in command]
    bare = None
    for position, (line, spaced) in enumerate(lines):
        if _BARE.match(spaced) is not None:
            if bare is None and not _prints_codes(command):
                bare = ClosingLine(line, names_nothing=True)
        elif any(form.match(spaced) is not None for form in (_CLOSING_FAILED, _NOTHING_DONE, _CODED)):
            return ClosingLine(line, names_nothing=False)
        elif (row := _LISTED.match(spaced)) is not None and _is_step(row["name"], row["dots"]):
            later = (other for _, other in lines[position + 1 :])
            if not any(_passed(row["name"], other) for other in later):
                return ClosingLine(line, names_nothing=False)
    return bare


def _is_step(name: str, dots: str) -> bool:
    return dots.startswith("...") or (_DOES.search(name) is not None and len(name.split()) <= 3)


def _passed(name: str, line: str) -> bool:
    """Whether a later row says that a step of that name ended well."""
    return line.startswith(name) and _ENDED.search(line[len(name) :]) is not None


def _prints_codes(command: str) -> bool:
    """Whether a command line prints exit codes itself, of which each has its own meaning."""
    return "$?" in command or "PIPESTATUS" in command


_MULTILINE = 8
_CHECKS = late(r"(?:^|[\W_])(?:lint\w*|checks?|vet|verif\w+|validat\w+|types?check\w*|audit|analy[sz]e)(?:[\W_]|$)")
_PLACED = late(r"^(?:\[[\w./:@-]{1,40}\] )?[^\s:]{1,200}\.\w{1,8}[:(]\d{1,7}\b", _MULTILINE)


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """What a command's last lines say of a task that failed, or count that a check found."""
    operation = reading.operation
    if operation.command is None or any(knows(entry.program, Does.REMOTE) for entry in operation.commands):
        return
    tally = tally_of(text)
    if tally is not None and tally.found and _checks(operation.command, text, remarked=tally.known):
        failure = Failure(FailureKind.LINT, "LintError", tally.line)
        yield Evidence("verdict-line", span_of(text, tally.line), Strength.PLAIN, failure)
        return
    said = ends_badly(text, operation.command)
    if said is not None:
        telling = telling_line(text, operation.command) if said.names_nothing else None
        failure = Failure(FailureKind.OTHER, "TaskFailed", telling or said.line)
        yield Evidence("verdict-line", span_of(text, said.line), Strength.PLAIN, failure)


def _checks(command: str, text: str, *, remarked: bool) -> bool:
    """Whether a command checks something: it says so, or lists the places of what it found."""
    return _CHECKS.search(command) is not None or (not remarked and _PLACED.search(text) is not None)
