"""Which folders hold sessions of opencode as files."""

from __future__ import annotations

from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.formats.opencode.files import files_of_sessions

_KEPT = ("session", "message", "part", "session_diff", "session_share", "project", "todo")


def claim(folder: Folder) -> Claim | None:
    """The folder with the folders of sessions, messages and parts: each session with what is its own."""
    if folder.named or not ("session" in folder.folders or {"message", "part"} <= set(folder.folders)):
        return None
    kept = frozenset(name for name in folder.folders if name in _KEPT)
    names = [f"{kind}/{name}" for kind in ("session", "message", "part") for name in _below(folder, kind)]
    sessions = files_of_sessions(names)
    if not sessions or not folder.holds(_first_message(sessions), b'"role"'):
        return None
    units = tuple(Unit(folder.place(files[0]), folder.path, tuple(files)) for files in sessions.values())
    return Claim(units, frozenset(), kept)


def _below(folder: Folder, name: str) -> tuple[str, ...]:
    return folder.tree.below(folder.place(name)) if name in folder.folders else ()


def _first_message(sessions: dict[str, list[str]]) -> str:
    return next(name for files in sessions.values() for name in files if "message/" in name)
