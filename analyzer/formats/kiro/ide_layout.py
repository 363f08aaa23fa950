"""Which files of a folder are one session of Kiro's editor."""

from __future__ import annotations

import re

from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.text.late import late

_SESSIONS, _INDEX = "workspace-sessions", "sessions.json"
_WORKSPACE = late(r"[0-9a-f]{32}")
_EXECUTION = re.compile(rb'"executionId"\s*:\s*"([^"]{1,200})"')
_RUNS = b'"executions"'
_HEAD = 1 << 12


def claim(folder: Folder) -> Claim | None:
    """Each session with the executions that its history names, and the others by themselves."""
    if folder.named or _SESSIONS not in folder.folders:
        return None
    workspaces = [name for name in folder.folders if _WORKSPACE.fullmatch(name)]
    runs = _runs(folder, workspaces)
    units = []
    taken: set[str] = set()
    for place in sorted(folder.tree.below(folder.place(_SESSIONS))):
        name = f"{_SESSIONS}/{place}"
        if not name.endswith(".json") or name.endswith(f"/{_INDEX}"):
            continue
        named = _EXECUTION.findall(folder.tree.read(folder.place(name)))
        found = tuple(dict.fromkeys(runs[run] for run in named if run in runs))
        taken.update(found)
        units.append(Unit(folder.place(name), folder.path, (name, *found)))
    units += [Unit(folder.place(name)) for name in sorted(runs.values()) if name not in taken]
    return Claim(tuple(units), frozenset(), frozenset({_SESSIONS, *workspaces})) if units else None


def _runs(folder: Folder, workspaces: list[str]) -> dict[bytes, str]:
    runs: dict[bytes, str] = {}
    for workspace in workspaces:
        for place in sorted(folder.tree.below(folder.place(workspace))):
            name = f"{workspace}/{place}"
            start = folder.tree.read(folder.place(name), _HEAD) if "." not in place.rpartition("/")[2] else b""
            found = _EXECUTION.search(start)
            if found is not None and _RUNS not in start[: found.start()]:
                runs.setdefault(found[1], name)
    return runs
