"""Files that the task names and that a program of the agent says it wrote: delivered, though no edit shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.words import Kind, Status
from analyzer.task.names import names_of
from analyzer.text.late import late
from analyzer.text.plain import plain
from analyzer.timeline.ending import asked_for
from analyzer.workspace.paths import last

_READ = 20_000
_NOT = late(r"\b(?:not|never|no|would|will|failed|could|cannot|already|error)\b|n['’]t\b", re.IGNORECASE)
_OTHER = r"(?:from|of|using|with|by|for|than|following|after|before|based)"
"""Words before the name of another file than the one that was written."""
_WROTE = r"(?:generated|wrote|written|saved|created|exported|produced)"


def named_outputs(end: End, known: Sequence[str]) -> Iterator[tuple[str, Action, str]]:
    """The names in the task of files that aren't among the known ones, each with the first step whose output says that
    it wrote the file, and the line that says so; none that a later step deleted, or tried to."""
    names = {last(name) for name in names_of(asked_for(end.case.timeline)).files}
    for name in sorted(names - {last(path) for path in known}):
        says = re.compile(
            rf"\b{_WROTE}\b(?:\W+(?!{_OTHER}\b)\w+){{0,3}}?[\s\"'`:]+(?:[\w./-]*/)?{re.escape(name)}(?![\w/-]|\.\w)"
            rf"|(?<![\w.-]){re.escape(name)}[\"'`]? (?:(?:was|has been|is) )?(?:successfully )?{_WROTE}\b",
            re.IGNORECASE,
        )
        found = [(action, line) for action in end.actions if (line := _line(action, says)) is not None]
        if found and not any(_removes(action, name) for action in end.actions if action.step >= found[0][0].step):
            yield name, *found[0]


def _line(action: Action, says: re.Pattern[str]) -> str | None:
    """The line by which a program's output says that a file was written."""
    ran = action.kind in (Kind.RUN, Kind.TEST) and action.status is Status.OK and action.failure is None
    if not ran or not any(entry.program not in ("echo", "printf", "cat") for entry in action.operation.commands):
        return None
    for line in plain(action.result or "")[-_READ:].splitlines():
        if says.search(line) is not None and _NOT.search(line) is None and line.strip() not in str(action.arguments):
            return line.strip()
    return None


def _removes(action: Action, name: str) -> bool:
    return any(
        entry.program in ("rm", "unlink", "mv", "shred") and any(last(word) == name for word in entry.args)
        for entry in action.operation.commands
    )
