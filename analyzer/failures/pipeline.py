"""Text -> evidence -> verdict: readers in order find evidence in a result, and one place weighs what they found.

No flag of any format can be trusted by itself: failing tests behind a pipe exit with 0, a search that finds nothing
exits with 1, and a file that is shown may contain any error there is. So what was run decides who reads its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from analyzer.failures.evidence import Evidence, Reading, Verdict
from analyzer.failures.readers import diagnostics, harness, reports, self_report, shell, stack_traces, tools
from analyzer.failures.weighing import marked, weigh
from analyzer.model.words import Kind, Status, StatusSource
from analyzer.text.plain import plain, without_notices

Reader = Callable[[Reading, str], Iterator[Evidence]]

_OF_TOOLS: tuple[Reader, ...] = (tools.read,)
_OF_VIEWERS: tuple[Reader, ...] = (harness.read, shell.read)
_OF_PROGRAMS: tuple[Reader, ...] = (
    reports.read,
    harness.read,
    diagnostics.read,
    stack_traces.read,
    shell.read,
    self_report.read,
)
"""The readers of a result in the order in which they're heard, by whether an agent's own tool, a command that only
shows something, or any other program gave it."""
_EXIT_LINE = re.compile(r"\A(?:Exit code|exit code:?) \d+(?:\n|\Z)")
"""Some harnesses put the code in front of the output; the reading has it apart."""
_LONGEST = 400_000
"""Characters of a result that are read: the first and last half of it where it's longer."""


def read(reading: Reading) -> Verdict:
    """The verdict on one result."""
    if reading.text is None and reading.mark is None:
        return Verdict(Status.UNKNOWN, StatusSource.INFERRED)
    text = without_notices(_EXIT_LINE.sub("", plain(_bounded(reading.text or ""))))
    if reading.mark is not None:
        return Verdict(Status.ERROR, StatusSource.RECORDED, marked(reading, reading.mark, text))
    return weigh(reading, text, _evidence(reading, text))


def _evidence(reading: Reading, text: str) -> Iterator[Evidence]:
    """What the readers find, the sharpest first; a reader isn't asked before somebody wants to hear it."""
    for reader in _readers(reading):
        yield from reader(reading, text)


def _readers(reading: Reading) -> tuple[Reader, ...]:
    operation = reading.operation
    if not operation.commands and operation.command is None:
        return _OF_TOOLS
    runs = operation.kind in (Kind.TEST, Kind.RUN, Kind.OTHER, Kind.WAIT, Kind.FINISH) or operation.runner
    return _OF_PROGRAMS if runs else _OF_VIEWERS


def _bounded(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return text[: _LONGEST // 2] + "\n" + text[-_LONGEST // 2 :]
