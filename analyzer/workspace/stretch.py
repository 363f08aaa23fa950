"""Which files differ after a stretch of a session from what they were before it."""

from __future__ import annotations

from collections.abc import Container

from analyzer.workspace.history import History
from analyzer.workspace.paths import under


def changed_within(history: History, first: int, end: int, scratch: Container[str] = ()) -> list[str]:
    """The files that the actions from index `first` up to, not including, `end` left changed, in the order in which
    they were changed first. What was put back within the stretch isn't one of them, nor are the files in `scratch`."""
    states: dict[str, tuple[str, str]] = {}
    for taken in history.taken[first:end]:
        for change in taken.changes:
            before, _ = states.get(change.path, (change.before, ""))
            states[change.path] = before, change.after
    equal = history.files.equal
    return [
        _short(path, history.root)
        for path, (before, after) in states.items()
        if path not in scratch
        and path not in history.files.captured
        and equal.of(path, before) != equal.of(path, after)
    ]


def _short(path: str, root: str) -> str:
    return path[len(root) + 1 :] if root and path != root and under(path, root) else path
