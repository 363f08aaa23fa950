"""Whose change it was that a later read shows: the call's that ran in between, never the read's."""

from __future__ import annotations

from dataclasses import dataclass, field

from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.workspace.paths import last
from analyzer.workspace.step import Step

_MOST = 200
"""Calls that are remembered because they may have changed something."""
_LONGEST = 4_000
_ACTS = frozenset({Kind.RUN, Kind.EDIT, Kind.OTHER, Kind.TEST})


@dataclass(slots=True)
class Credits:
    """Remembers which calls may have changed files unseen, and when each file was last written or shown."""

    _index: int = -1
    _met: dict[str, int] = field(default_factory=dict)
    _calls: list[tuple[int, Action, Step]] = field(default_factory=list)

    def skip(self) -> None:
        """An action did nothing."""
        self._index += 1

    def take(self, action: Action, step: Step, met: list[str]) -> None:
        """Give each change that the step only showed to the call that made it, as far as that's known."""
        self._index += 1
        for path in dict.fromkeys(step.found):
            maker = self._maker(path)
            if maker is not None:
                _move(path, step, maker)
        for path in met:
            self._met[path] = self._index
        if step.unknown or (action.kind in _ACTS and action.operation.command is None and not step.changes):
            self._calls.append((self._index, action, step))
            del self._calls[:-_MOST]

    def _maker(self, path: str) -> Step | None:
        """The only call since the file was last known that may have changed it: one that names the file, else one
        whose effects aren't known."""
        since = self._met.get(path, -1)
        calls = [(action, step) for index, action, step in self._calls if index >= since]
        naming = [step for action, step in calls if _names(action, last(path))]
        makers = naming or [step for _, step in calls if step.unknown]
        return makers[0] if len(makers) == 1 else None


def _names(action: Action, name: str) -> bool:
    return name in str(action.arguments)[:_LONGEST] or name in (action.result or "")[:_LONGEST]


def _move(path: str, shown: Step, made: Step) -> None:
    made.changes += tuple(change for change in shown.changes if change.path == path)
    made.versions += tuple(version for version in shown.versions if version.path == path)
    made.touched = tuple(dict.fromkeys([*made.touched, path]))
    shown.changes = tuple(change for change in shown.changes if change.path != path)
    shown.versions = tuple(version for version in shown.versions if version.path != path)
    shown.touched = tuple(name for name in shown.touched if name != path)
    shown.found = tuple(name for name in shown.found if name != path)
    shown.outside = tuple(name for name in shown.outside if name != path)
