"""Which files of a folder are one session of Kiro's editor."""

from __future__ import annotations

import re

from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.text.expressions import compiled

_SESSIONS, _INDEX = "workspace-sessions", "sessions.json"
_WORKSPACE = compiled(r"[0-9a-f]{32}")
_EXECUTION = re.compile(rb'"executionId"\s*:\s*"([^"]{1,200})"')
_RUNS = b'"executions"'
_HEAD = 1 << 12


def claim(folder: Folder) -> Claim | None:
    """Each session with the executions that its history names; the others, and chats without an execution, by
    themselves."""
    if folder.named or _SESSIONS not in folder.folders:
        return None
    workspaces = [name for name in folder.folders if _WORKSPACE.fullmatch(name)]
    runs, chats = _runs(folder, workspaces)
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
    units += [Unit(folder.place(name)) for name, run in chats if run not in runs]
    return Claim(tuple(units), frozenset(), frozenset({_SESSIONS, *workspaces})) if units else None


def _runs(folder: Folder, workspaces: list[str]) -> tuple[dict[bytes, str], list[tuple[str, bytes]]]:
    """The files of the executions by their ids, and the chats with the id of theirs."""
    runs: dict[bytes, str] = {}
    chats: list[tuple[str, bytes]] = []
    for workspace in workspaces:
        for place in sorted(folder.tree.below(folder.place(workspace))):
            name = f"{workspace}/{place}"
            start = folder.tree.read(folder.place(name), _HEAD)
            found = _EXECUTION.search(start)
            if found is None or _RUNS in start[: found.start()]:
                continue
            if name.endswith(".chat"):
                chats.append((name, found[1]))
            elif "." not in place.rpartition("/")[2]:
                runs.setdefault(found[1], name)
    return runs, chats
