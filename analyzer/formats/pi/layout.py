"""Which files of a folder are the same session of OpenClaw."""

from __future__ import annotations

from analyzer.formats.container.tree import Claim, Folder, Unit

_SESSION, _TRAJECTORY = ".jsonl", ".trajectory.jsonl"


def claim(folder: Folder) -> Claim | None:
    """A session without the trajectory of its runs, which repeats its messages."""
    names = frozenset(folder.files)
    sessions = [
        name for name in sorted(names) if name.endswith(_SESSION) and name.removesuffix(_SESSION) + _TRAJECTORY in names
    ]
    if folder.named or not sessions:
        return None
    taken = {*sessions, *(name.removesuffix(_SESSION) + _TRAJECTORY for name in sessions)}
    return Claim(tuple(Unit(folder.place(name)) for name in sessions), frozenset(taken))
