"""The line by which a tool, a script or a task runner sums up: `3 issues:`, `7 of 9 passed`, `ERROR task failed`,
`script "a" exited with code 1`.

Behind `| head`, `| tail` or `|| true` the exit code is that of another program, and this line is all that is left of
the verdict. A count speaks of a failure only where the call checks something, by its words or by the places that it
lists: how many issues a project has may also be an answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.commands.table import Does, knows
from analyzer.failures.closing_lines import ends_badly
from analyzer.failures.evidence import Evidence, Reading, Strength, span_of
from analyzer.failures.messages.search import telling_line
from analyzer.failures.shares import unmet_share
from analyzer.failures.tallies import tally_of
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late

_MULTILINE = 8
_CHECKS = late(r"(?:^|[\W_])(?:lint\w*|checks?|vet|verif\w+|validat\w+|types?check\w*|audit|analy[sz]e)(?:[\W_]|$)")
_PLACED = late(r"^(?:\[[\w./:@-]{1,40}\] )?[^\s:]{1,200}\.\w{1,8}[:(]\d{1,7}\b", _MULTILINE)


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """What a command's last lines say of a task that failed, or count that a check found."""
    operation = reading.operation
    if operation.command is None or any(knows(entry.program, Does.REMOTE) for entry in operation.commands):
        return
    share = unmet_share(text) if operation.kind in (Kind.RUN, Kind.TEST) else None
    if share is not None:
        failure = Failure(FailureKind.TEST, "CheckFailed", share)
        yield Evidence("verdict-line", span_of(text, share), Strength.SURE, failure)
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
