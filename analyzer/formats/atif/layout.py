"""Which files of a folder are one ATIF trajectory."""

from __future__ import annotations

import posixpath
import re

from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.text.expressions import compiled

_TRAJECTORY = "trajectory.json"
_TRIAL = frozenset({"result.json", "config.json", "trial.log"})
"""One of these lies beside the folder `agent` of a trial."""
_PARTS = compiled(r"trajectory(?:\.[^/]*)?\.json|result\.json")
_REFERENCE = re.compile(rb'"(?:continued_trajectory_ref|trajectory_path)"\s*:\s*"([^"\\]+)"')
_MARK = b"ATIF-v"


def claim(folder: Folder) -> Claim | None:
    """A trial's folder is one trajectory; elsewhere it's `trajectory.json` with what continues it and what its
    sub-agents did."""
    if folder.entire and not _TRIAL.isdisjoint(folder.files) and _TRAJECTORY in folder.inside("agent"):
        return folder.as_one() if folder.holds(f"agent/{_TRAJECTORY}", _MARK) else None
    files = [name for name in folder.files if name.endswith(".json")]
    if _TRAJECTORY not in files or len(files) == 1 or not folder.holds(_TRAJECTORY, _MARK):
        return None
    parts = {name for name in files if _PARTS.fullmatch(name)}
    if len(parts) < len(files):
        waiting = [_TRAJECTORY]
        while waiting:
            for reference in _REFERENCE.findall(folder.tree.read(folder.place(waiting.pop()))):
                name = posixpath.basename(reference.decode("utf-8", "replace"))
                if name in files and name not in parts:
                    parts.add(name)
                    waiting.append(name)
    if len(parts) == 1:
        return None
    return Claim((Unit(folder.place(_TRAJECTORY), folder.path, tuple(sorted(parts))),), frozenset(parts))
