"""Which files of a folder are one task of Cline."""

from __future__ import annotations

from analyzer.formats.container.tree import Claim, Folder, Unit

_TASK = frozenset({"ui_messages.json", "api_conversation_history.json"})
_BESIDE = frozenset({"task_metadata.json", "context_history.json", "focus_chain.md"})
_MOST_MANIFESTS = 3


def claim(folder: Folder) -> Claim | None:
    """The two files of a task with those about it, or the JSON files of a session of the SDK."""
    names = frozenset(folder.files)
    parts = names & (_TASK | _BESIDE) if names & _TASK else _sdk_session(folder)
    if len(parts) < 2:
        return None
    return Claim((Unit(folder.path, folder.path, tuple(sorted(parts))),), parts)


def _sdk_session(folder: Folder) -> frozenset[str]:
    files = frozenset(name for name in folder.files if name.endswith(".json"))
    if not any(name.endswith(".messages.json") for name in files):
        return frozenset()
    manifests = [name for name in files if not name.endswith((".messages.json", ".compaction.json"))]
    known = len(manifests) <= _MOST_MANIFESTS and any(folder.holds(name, b'"workspace_root"') for name in manifests)
    return files if known else frozenset()
