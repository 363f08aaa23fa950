"""Which files of a folder are one session of Claude Code, or are nobody's work."""

from __future__ import annotations

import re

from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.formats.record.fields import json_or_none
from analyzer.text.late import late

SESSION_ID = late(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
SESSION_FILE = late(SESSION_ID.pattern + r"\.jsonl")
AGENT_FILE = late(r"(?:(?P<session>[^/]+)/subagents/(?:[^/]+/)*|)agent-(?P<agent>[^/]+)\.jsonl")
_NO_WORK = ("acompact", "aprompt_suggestion")
"""Agents that summarise the session or suggest a prompt: their files repeat the session's context."""
_FIRST_RECORDS = 5
"""In so many records a sub-agent's file says whose it is."""
_HEAD = 1 << 16
_SESSION_IDS = re.compile(rb'"sessionId"\s*:\s*"([^"\\]{1,200})"')


def claim(folder: Folder) -> Claim | None:
    """Sessions that have files of sub-agents, with these; the folders that belong to a session; and the files of agents
    that did no work, which nothing should be read from.

    A sub-agent whose session isn't there stands by itself.
    """
    sessions = [name for name in folder.files if name.endswith(".jsonl") and not AGENT_FILE.fullmatch(name)]
    stems = {name.removesuffix(".jsonl") for name in sessions}
    taken: set[str] = set()
    idle: set[str] = set()
    owners: dict[str, str] = {}
    for name in folder.folders:
        if name not in stems and (folder.named or not SESSION_ID.fullmatch(name)):
            continue
        inside = folder.tree.entries(folder.place(name))[1]
        if "subagents" in inside:
            taken.add(name)
            below = folder.tree.below(folder.place(name, "subagents"))
            owners.update((path, name) for path in (f"{name}/subagents/{member}" for member in below) if _works(path))
        elif "tool-results" in inside:
            taken.add(name)
    for name in folder.files:
        if AGENT_FILE.fullmatch(name) and (session := _owner_in(folder, name)) is not None:
            if _works(name):
                owners[name] = session
            else:
                idle.add(name)
    if not (taken or idle or owners):
        return None
    units = tuple(
        Unit(folder.place(name), folder.path, members) for name, members in _members(folder, sessions, owners).items()
    )
    return Claim(units, frozenset(name for unit in units for name in unit.members) | idle, frozenset(taken))


def _works(path: str) -> bool:
    found = AGENT_FILE.fullmatch(path)
    return found is not None and not found["agent"].startswith(_NO_WORK)


def _members(folder: Folder, sessions: list[str], owners: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """The files that are read together, by the one that names them: a session's own, or a sub-agent's without its
    session."""
    members: dict[str, list[str]] = {}
    homeless: dict[str, list[str]] = {}
    for path, name in owners.items():
        if f"{name}.jsonl" in sessions:
            members.setdefault(f"{name}.jsonl", []).append(path)
        else:
            homeless.setdefault(name, []).append(path)
    # A session that was resumed under another name still has its first id in it.
    for file in sessions if homeless else ():
        ids = _SESSION_IDS.findall(folder.tree.read(folder.place(file)))
        for name in {found.decode("utf-8", "replace") for found in ids} & homeless.keys():
            members.setdefault(file, []).extend(homeless.pop(name))
    found = {file: (file, *sorted(paths)) for file, paths in members.items()}
    found.update((path, (path,)) for paths in homeless.values() for path in paths)
    return found


def _owner_in(folder: Folder, name: str) -> str | None:
    """Whose a sub-agent's file is; None where it's no file of Claude Code, and empty where it doesn't say."""
    start = folder.tree.read(folder.place(name), _HEAD)
    lines = start.split(b"\n")
    if len(start) == _HEAD:
        # The last line may be cut; where it's the only one, all of the file is looked at.
        lines = lines[:-1] or folder.tree.read(folder.place(name)).split(b"\n")
    records = [value for line in lines[:_FIRST_RECORDS] if isinstance(value := json_or_none(line), dict)]
    if not any("uuid" in record and "message" in record for record in records):
        return None
    return next((owner for record in records if isinstance(owner := record.get("sessionId"), str)), "")
