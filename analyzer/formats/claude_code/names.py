"""How Claude Code's files are called, and which of them make up one session.

A session is `<id>.jsonl`; its sub-agents' files are `<id>/subagents/**/agent-<id>.jsonl` or, in older versions,
`agent-<id>.jsonl` beside it, with the session's id in their records.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable
from typing import Any, Protocol

SESSION_ID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
SESSION_FILE = re.compile(SESSION_ID.pattern + r"\.jsonl")
AGENT_FILE = re.compile(r"(?:(?P<session>[^/]+)/subagents/(?:[^/]+/)*|)agent-(?P<agent>[^/]+)\.jsonl")
NO_WORK = ("acompact", "aprompt_suggestion")
"""Agents that summarise the session or suggest a prompt: their files repeat the session's context."""
FIRST_RECORDS = 5
"""In so many records a sub-agent's file says whose it is."""
_HEAD = 1 << 16
_SESSION_IDS = re.compile(rb'"sessionId"\s*:\s*"([^"\\]{1,200})"')


class _Tree(Protocol):
    def entries(self, folder: str) -> tuple[list[str], list[str]]: ...

    def below(self, folder: str) -> tuple[str, ...]: ...

    def read(self, path: str, size: int | None = None) -> bytes: ...


def owner(records: Iterable[dict[str, Any]]) -> str | None:
    """The id of the session to which a sub-agent's file belongs, from its first records."""
    return next((name for record in records if isinstance(name := record.get("sessionId"), str) and name), None)


def grouped(
    tree: _Tree, folder: str, files: list[str], folders: list[str]
) -> tuple[dict[str, tuple[str, ...]], set[str], set[str]]:
    """Sessions of a folder that have files of sub-agents, as file -> members (itself among them); the names of the
    folders that belong to a session; and the files that nothing should be read from.

    A sub-agent whose session isn't there stands by itself.
    """
    sessions = [name for name in files if name.endswith(".jsonl") and not AGENT_FILE.fullmatch(name)]
    stems = {name.removesuffix(".jsonl") for name in sessions}
    gone: set[str] = set()
    dropped: set[str] = set()
    owners: dict[str, str | None] = {}
    for name in folders:
        inside = tree.entries(posixpath.join(folder, name))[1] if name in stems or SESSION_ID.fullmatch(name) else ()
        if "subagents" in inside:
            gone.add(name)
            below = tree.below(posixpath.join(folder, name, "subagents"))
            owners.update((path, name) for path in (f"{name}/subagents/{member}" for member in below) if _works(path))
        elif "tool-results" in inside:
            gone.add(name)
    for name in files:
        if AGENT_FILE.fullmatch(name):
            told = _peek(tree, posixpath.join(folder, name))
            if told is not None:
                owners.update({name: told} if _works(name) else {})
                dropped.update(() if _works(name) else (name,))
    return _assigned(tree, folder, sessions, owners), gone, dropped


def _works(path: str) -> bool:
    found = AGENT_FILE.fullmatch(path)
    return found is not None and not found["agent"].startswith(NO_WORK)


def _assigned(
    tree: _Tree, folder: str, sessions: list[str], owners: dict[str, str | None]
) -> dict[str, tuple[str, ...]]:
    members: dict[str, list[str]] = {}
    homeless: dict[str, list[str]] = {}
    for path, name in owners.items():
        if f"{name}.jsonl" in sessions:
            members.setdefault(f"{name}.jsonl", []).append(path)
        else:
            homeless.setdefault(name or "", []).append(path)
    if homeless:
        # A session that was resumed under another name still tells its first id.
        for file in sessions:
            told = {
                found.decode("utf-8", "replace")
                for found in _SESSION_IDS.findall(tree.read(posixpath.join(folder, file)))
            }
            for name in told & homeless.keys():
                members.setdefault(file, []).extend(homeless.pop(name))
            if not homeless:
                break
    found = {file: (file, *sorted(paths)) for file, paths in members.items()}
    found.update((path, (path,)) for paths in homeless.values() for path in paths)
    return found


def _peek(tree: _Tree, path: str) -> str | None:
    """Whose a sub-agent's file is; None where it's no file of Claude Code, and empty where it doesn't say."""
    start = tree.read(path, _HEAD)
    lines = start.split(b"\n")
    if len(start) == _HEAD:
        # The last line may be cut; where it's the only one, all of the file is looked at.
        lines = lines[:-1] or tree.read(path).split(b"\n")
    records = [value for line in lines[:FIRST_RECORDS] if isinstance(value := _json(line), dict)]
    if not any("uuid" in record and "message" in record for record in records):
        return None
    return owner(records) or ""


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
