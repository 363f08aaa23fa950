"""Which files of a folder are the same chat session of VS Code."""

from __future__ import annotations

from analyzer.formats.container.tree import Claim, Folder, Unit

_LOG, _STATE = ".jsonl", ".json"


def claim(folder: Folder) -> Claim | None:
    """A log of changes, without the state of the same session that an older version wrote."""
    names = frozenset(folder.files)
    logs = [
        name
        for name in sorted(names)
        if name.endswith(_LOG)
        and name.removesuffix(_LOG) + _STATE in names
        and folder.holds(name, b'"responderUsername"', b'"initialLocation"')
    ]
    if folder.named or not logs:
        return None
    taken = {*logs, *(name.removesuffix(_LOG) + _STATE for name in logs)}
    return Claim(tuple(Unit(folder.place(name)) for name in logs), frozenset(taken))
