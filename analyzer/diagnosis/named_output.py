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
from analyzer.text.required import folded
from analyzer.timeline.closing.ending import asked_for
from analyzer.workspace.paths import last

_READ = 20_000
_NOT = late(r"\b(?:not|never|no|would|will|failed|could|cannot|already|error)\b|n['’]t\b", re.IGNORECASE)
_OTHER = r"(?:from|of|using|with|by|for|than|following|after|before|based)"
"""Words before the name of another file than the one that was written."""
_WROTE = r"(?:generated|wrote|written|saved|created|exported|produced)"


def named_outputs(end: End, known: Sequence[str]) -> Iterator[tuple[str, Action, str]]:
    """The names in the task of files that aren't among the known ones, each with the first step whose output says that
    it wrote the file, and the line that says so; none that a later step deleted, or tried to."""
    names = {last(name) for name in names_of(asked_for(end.case.timeline)).files} - {last(path) for path in known}
    printed = [(action, text, folded(text)) for action in end.actions if (text := _printed(action))] if names else []
    for name in sorted(names):
        says = re.compile(
            rf"\b{_WROTE}\b(?:\W+(?!{_OTHER}\b)\w+){{0,3}}?[\s\"'`:]+(?:[\w./-]*/)?{re.escape(name)}(?![\w/-]|\.\w)"
            rf"|(?<![\w.-]){re.escape(name)}[\"'`]? (?:(?:was|has been|is) )?(?:successfully )?{_WROTE}\b",
            re.IGNORECASE,
        )
        # In most outputs the name doesn't occur at all, which is seen at once.
        wanted = name.lower() if name.isascii() else ""
        found = (
            (action, line)
            for action, text, small in printed
            if wanted in small and (line := _line(action, text, says)) is not None
        )
        first = next(found, None)
        if first is not None and not any(
            _removes(action, name) for action in end.actions if action.step >= first[0].step
        ):
            yield name, *first


def _printed(action: Action) -> str:
    """The end of what a program of the agent printed; empty where none ran or it failed."""
    ran = action.kind in (Kind.RUN, Kind.TEST) and action.status is Status.OK and action.failure is None
    if not ran or not any(entry.program not in ("echo", "printf", "cat") for entry in action.operation.commands):
        return ""
    return plain(action.result or "")[-_READ:]


def _line(action: Action, text: str, says: re.Pattern[str]) -> str | None:
    """The line by which a program's output says that a file was written."""
    for line in text.splitlines():
        if says.search(line) is not None and _NOT.search(line) is None and line.strip() not in str(action.arguments):
            return line.strip()
    return None


def _removes(action: Action, name: str) -> bool:
    return any(
        entry.program in ("rm", "unlink", "mv", "shred") and any(last(word) == name for word in entry.args)
        for entry in action.operation.commands
    )
