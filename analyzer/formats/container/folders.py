"""Which files of a tree of folders belong together: the folder that is one session, the session with its sub-agents'
files.

Everything is decided by the names that stand directly in a folder, and a look at the beginning of a file where names
aren't enough, so that a tree of a hundred thousand files is gone through once.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from analyzer.formats.claude_code.names import grouped
from analyzer.formats.container.bundle import Bundle
from analyzer.model.errors import UnreadableInput

_CLINE = frozenset({"ui_messages.json", "api_conversation_history.json"})
_CLINE_MORE = frozenset({*_CLINE, "task_metadata.json", "context_history.json", "focus_chain.md"})
_CLINE_PARTS = 3
_OPENHANDS_EVENTS = frozenset({"events.json", "events.jsonl"})
_OPENHANDS_STATE = (b'"baseState"', b'"eventCount"')
_TRIAL = (b'"trial_name"', b'"is_resolved"', b'"task_id"')
_HARBOR = frozenset({"result.json", "config.json", "trial.log"})
"""One of these lies beside the folder `agent` of a trial."""
_ATIF = b"ATIF-v"
_ATIF_PARTS = re.compile(r"trajectory(?:\.[^/]*)?\.json|result\.json")
_ATIF_REFERENCE = re.compile(rb'"(?:continued_trajectory_ref|trajectory_path)"\s*:\s*"([^"\\]+)"')
_HEAD = 1 << 14


class Tree(Protocol):
    """Folders and files below one place. Paths have `/` between their parts and are empty for the place itself."""

    def entries(self, folder: str) -> tuple[list[str], list[str]]:
        """The names of the files and of the folders directly in a folder, each sorted; without those that are of no
        interest."""
        ...

    def below(self, folder: str) -> tuple[str, ...]:
        """The paths, from the folder on, of all files below it, sorted."""
        ...

    def read(self, path: str, size: int | None = None) -> bytes:
        """The first `size` bytes of a file, or all of it; empty where it can't be read."""
        ...


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing to read: a file, or the files `members` (paths from the folder `root` on) as one.

    `path` names it: the file, the folder, or the file of the session that the others belong to.
    """

    path: str
    root: str = ""
    members: tuple[str, ...] = ()


def units(tree: Tree, folder: str = "") -> list[Unit]:
    """Everything in and below a folder, each file once, by path."""
    found: list[Unit] = []
    trials: set[str] = set()
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        files, folders = tree.entries(place)
        whole = _owned(tree, place, files, folders)
        if whole is not None:
            found.append(Unit(place, place, tree.below(place)))
            if whole == "terminal-bench":
                trials.add(posixpath.dirname(posixpath.dirname(place)))
            continue
        parts = _parts(tree, place, files)
        if len(parts) > 1:
            found.append(
                Unit(
                    posixpath.join(place, parts[0]) if parts[0] == "trajectory.json" else place,
                    place,
                    tuple(sorted(parts)),
                )
            )
            files = [name for name in files if name not in parts]
        units_here, gone = of_files(tree, place, files, folders)
        found += units_here
        waiting += [posixpath.join(place, name) for name in folders if name not in gone]
    # The results of a Terminal-Bench run repeat the verdicts of its trials, whose folders lie two levels further down.
    return sorted(
        (unit for unit in found if not (_is_results(unit) and posixpath.dirname(unit.path) in trials)),
        key=lambda unit: unit.path,
    )


def of_files(tree: Tree, folder: str, files: Iterable[str], folders: Iterable[str]) -> tuple[list[Unit], set[str]]:
    """The units of some files of one folder, and the names of those folders beside them that belong to sessions among
    them."""
    files, folders = list(files), list(folders)
    sessions, gone, dropped = grouped(tree, folder, files, folders)
    found = [Unit(posixpath.join(folder, name), folder, members) for name, members in sessions.items()]
    used = {name for members in sessions.values() for name in members} | dropped
    found += [Unit(posixpath.join(folder, name)) for name in files if name not in used]
    return found, gone


def _is_results(unit: Unit) -> bool:
    return not unit.members and posixpath.basename(unit.path) == "results.json"


def _owned(tree: Tree, folder: str, files: list[str], folders: list[str]) -> str | None:
    """The agent to whom a folder with all that is below it belongs as one session, or None."""
    names = frozenset(files)

    def holds(name: str, *words: bytes) -> bool:
        start = tree.read(posixpath.join(folder, name), _HEAD)
        return any(word in start for word in words)

    def inside(name: str) -> list[str]:
        return tree.entries(posixpath.join(folder, name))[0] if name in folders else []

    # Names such as results.json are common, so a look inside must confirm them: whatever lies below is taken for the
    # one session's.
    if (
        "results.json" in names
        and ("commands.txt" in names or "agent.log" in inside("sessions"))
        and holds("results.json", *_TRIAL)
    ):
        return "terminal-bench"
    if "base_state.json" in names and (names & _OPENHANDS_EVENTS or _any_event(inside("events"))):
        return "openhands"
    if (
        "trajectory.json" in names
        and (names & _OPENHANDS_EVENTS or _any_event(inside("events")))
        and holds("trajectory.json", *_OPENHANDS_STATE)
    ):
        return "openhands"
    if "start.json" in inside("_journal"):
        return "inspect"
    if (
        "header.json" in names
        and ("summaries.json" in names or "samples" in folders)
        and holds("header.json", b'"eval"')
    ):
        return "inspect"
    if names & _HARBOR and "trajectory.json" in inside("agent") and _is_atif(tree, posixpath.join(folder, "agent")):
        return "atif"
    return None


def _any_event(names: list[str]) -> bool:
    return any(name.startswith("event-") and name.endswith(".json") for name in names)


def _is_atif(tree: Tree, folder: str) -> bool:
    return _ATIF in tree.read(posixpath.join(folder, "trajectory.json"), _HEAD)


def _parts(tree: Tree, folder: str, files: list[str]) -> list[str]:
    """The files of a folder that are one session together, the one that names it first; empty where there are none."""
    names = frozenset(files)
    if names & _CLINE:
        return sorted(names & _CLINE_MORE)
    told = [name for name in files if name.endswith(".json")]
    if any(name.endswith(".messages.json") for name in told):
        manifests = [name for name in told if not name.endswith((".messages.json", ".compaction.json"))]
        if 0 < len(manifests) <= _CLINE_PARTS and any(
            b'"workspace_root"' in tree.read(posixpath.join(folder, name), _HEAD) for name in manifests
        ):
            return told
    if "trajectory.json" in names and len(told) > 1 and _is_atif(tree, folder):
        return _atif_parts(tree, folder, told)
    return []


def _atif_parts(tree: Tree, folder: str, files: list[str]) -> list[str]:
    """`trajectory.json` with what continues it and what its sub-agents did; alone where nothing belongs to it."""
    parts = {name for name in files if _ATIF_PARTS.fullmatch(name)}
    if len(parts) < len(files):
        todo = ["trajectory.json"]
        while todo:
            for reference in _ATIF_REFERENCE.findall(tree.read(posixpath.join(folder, todo.pop()))):
                name = posixpath.basename(reference.decode("utf-8", "replace"))
                if name in files and name not in parts:
                    parts.add(name)
                    todo.append(name)
    return ["trajectory.json", *sorted(parts - {"trajectory.json"})] if len(parts) > 1 else []


class BundleTree:
    """The members of an archive as a tree, without what macOS adds to them."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._folders: dict[str, tuple[list[str], list[str]]] = {"": ([], [])}
        for name in bundle.names:
            place, file = posixpath.split(name)
            if not file.startswith("._") and not name.startswith("__MACOSX/"):
                self._place(place)[0].append(file)

    def _place(self, folder: str) -> tuple[list[str], list[str]]:
        """The entries of a folder, which is entered into those above it where it's new."""
        missing: list[str] = []
        while folder not in self._folders:
            missing.append(folder)
            folder = posixpath.dirname(folder)
        for name in reversed(missing):
            self._folders[name] = ([], [])
            self._folders[posixpath.dirname(name)][1].append(posixpath.basename(name))
        return self._folders[missing[0] if missing else folder]

    def entries(self, folder: str) -> tuple[list[str], list[str]]:
        """The names directly in a folder of the archive."""
        return self._folders.get(folder, ([], []))

    def below(self, folder: str) -> tuple[str, ...]:
        """All members below a folder."""
        prefix = f"{folder}/" if folder else ""
        return tuple(name[len(prefix) :] for name in self._bundle.names if name.startswith(prefix))

    def read(self, path: str, size: int | None = None) -> bytes:
        """The beginning of a member."""
        try:
            return self._bundle.read(path)[:size]
        except UnreadableInput:
            return b""


class PartBundle:
    """Some members of a bundle, named from one of its folders on."""

    def __init__(self, bundle: Bundle, root: str, members: tuple[str, ...]) -> None:
        self._bundle = bundle
        self._root = root
        self._members = members

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names, sorted."""
        return self._members

    def read(self, name: str) -> bytes:
        """The bytes of a member."""
        return self._bundle.read(posixpath.join(self._root, name))
