"""Edits that make a file grow each time they're made: they put in text without taking as much away."""

from __future__ import annotations

from analyzer.model.action import Action, Edit
from analyzer.text.expressions import compiled
from analyzer.text.late import late

_APPENDS = late(r"(?<!\d)>>[ \t]{0,4}(?!&|/dev/)[\w./~$\"'{-]|\btee (?:-\w{1,10} ){0,3}(?:-a|--append)\b")
_QUOTED = compiled(r"'[^']*'|\"[^\"]*\"")


def grows(action: Action) -> bool:
    """Whether an action that was accepted adds to a file, as it would again if it were made once more."""
    if action.failure is not None:
        return False
    return any(adds(edit) for edit in action.operation.edits) or appends(action)


def appends(action: Action) -> bool:
    """Whether a command line appends to a file."""
    command = action.operation.command or ""
    return (">>" in command or "tee" in command) and _APPENDS.search(_QUOTED.sub("''", command)) is not None


def adds(edit: Edit) -> bool:
    """Whether an edit puts in a new line, or more lines than it replaces, and leaves the rest where it is."""
    if edit.created or not edit.after:
        return False
    lines = edit.after.rstrip("\n").count("\n") + 1
    if edit.lines is not None:
        return lines > edit.lines[1] - edit.lines[0] + 1
    return edit.before is not None and edit.before != edit.after and edit.before in edit.after
