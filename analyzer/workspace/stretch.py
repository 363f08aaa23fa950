"""Which files differ after a stretch of a session from what they were before it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from analyzer.workspace.document import ABSENT
from analyzer.workspace.history import History
from analyzer.workspace.paths import below, under


@dataclass(frozen=True, slots=True)
class Left:
    """The files that a stretch left other than they were, and those of them that aren't there after it."""

    files: list[str]
    deleted: list[str]


def changed_within(history: History, first: int, end: int, gone: Container[str], scratch: Container[str] = ()) -> Left:
    """The files that the actions from index `first` up to, not including, `end` left changed, in the order in which
    they were changed first. What was put back within the stretch isn't one of them, nor is what something outside of
    the session changed, nor are the files in `gone`, which have another name now (`moved_away`), and in `scratch`."""
    states: dict[str, tuple[str, str]] = {}
    for taken in history.taken[first:end]:
        for change in taken.changes:
            if change.path in taken.outside:
                continue
            before, _ = states.get(change.path, (change.before, ""))
            states[change.path] = before, change.after
    equal = history.files.equal
    left = {
        below(path, history.root): after
        for path, (before, after) in states.items()
        if path not in scratch
        and below(path, history.root) not in gone
        and path not in history.files.captured
        and equal.of(path, before) != equal.of(path, after)
    }
    return Left(list(left), [path for path, after in left.items() if after == ABSENT])


def moved_away(history: History) -> dict[str, str]:
    """The paths that aren't there any more because what stood there has another name, which is still there: each with
    that name."""
    names: dict[str, str] = {}
    for taken in history.taken:
        for old, new in taken.moved:
            names = {first: new + path[len(old) :] if under(path, old) else path for first, path in names.items()}
            names.setdefault(old, new)
    files = history.files
    return {
        below(old, history.root): below(new, history.root)
        for old, new in names.items()
        if not files.get(old).exists and (files.get(new).exists or new in files.folders) and old != new
    }
