"""Which earlier step an action repeats: the same call on the same state of what it touches, or the same failure.

A read or an edit touches its file; a command may touch all that was edited; what any other tool touches isn't known, so
that its calls are compared by themselves. What lies between the two steps doesn't matter, as long as nothing in between
could have changed what is touched.
"""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.failures.roles import last_part, same_file
from analyzer.model.action import Action
from analyzer.model.words import Kind

_MOST_STEPS = 100_000
"""Calls and failures of a lane that are remembered."""


class RepeatFinder:
    """Says of the actions of one lane, in order, which earlier one each repeats."""

    def __init__(self) -> None:
        self._calls: dict[tuple[str, int], int] = {}
        self._failures: dict[tuple[str, str, Kind], int] = {}
        self._versions: dict[str, dict[str, int]] = {}
        """The step that last changed each edited file, by the last part of its name."""
        self._changed = 0
        """The step that last changed any file."""

    def repeats(self, action: Action) -> int | None:
        """The latest earlier step that the next action repeats, or None."""
        if action.harness or not action.keys.call:
            return None
        earlier = [*self._same_call(action), *self._same_failure(action)]
        self._note_change(action)
        return max(earlier, default=None)

    def _same_call(self, action: Action) -> Iterable[int]:
        key = action.keys.call, self._state(action)
        known = self._calls.get(key)
        if known is not None or len(self._calls) < _MOST_STEPS:
            self._calls[key] = action.step
        return () if known is None else (known,)

    def _same_failure(self, action: Action) -> Iterable[int]:
        failure = action.failure
        if failure is None or failure.group is None:
            return ()
        key = failure.group, action.tool, action.kind
        known = self._failures.get(key)
        if known is not None or len(self._failures) < _MOST_STEPS:
            self._failures[key] = action.step
        return () if known is None else (known,)

    def _state(self, action: Action) -> int:
        """The step that last changed what the action touches, 0 where nothing did."""
        operation = action.operation
        if operation.command is not None or action.kind is Kind.TEST:
            return self._changed
        if operation.path:
            return max(self._version(operation.path), *(self._version(edit.path) for edit in operation.edits), 0)
        return self._changed if action.kind in (Kind.READ, Kind.SEARCH) else 0

    def _version(self, path: str) -> int:
        known = self._versions.get(last_part(path), {})
        return max((step for name, step in known.items() if same_file(name, path)), default=0)

    def _note_change(self, action: Action) -> None:
        if action.failure is not None:
            return
        paths = [*(edit.path for edit in action.operation.edits), *action.operation.writes]
        for path in filter(None, paths):
            self._versions.setdefault(last_part(path), {})[path] = action.step
            self._changed = action.step


def set_repeats(actions: Iterable[Action]) -> None:
    """Fill in `repeats_step` of the actions of one lane, which have their keys and failure groups."""
    finder = RepeatFinder()
    for action in actions:
        action.repeats_step = finder.repeats(action)
