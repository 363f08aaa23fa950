"""Paths -> sources: files, folders searched through, patterns, and URLs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from glob import glob, has_magic
from pathlib import Path
from stat import S_ISREG
from urllib.parse import urlsplit

from analyzer.audit.sources.source import (
    DATABASES,
    TABLES,
    Source,
    is_candidate,
    is_own,
    is_result,
    is_searched,
    is_url,
)
from analyzer.formats.container.tree import DirectoryTree, Unit
from analyzer.formats.loading.folders import of_files, session_at, units
from analyzer.model.errors import UnreadableInput
from analyzer.model.struct import replace


def discover(paths: Iterable[str]) -> Iterator[Source]:
    """The sources at or below the paths, each once and by path: files as named, folders searched through, patterns such
    as `runs/**/*.jsonl`, and URLs of what fsspec can open.

    Files that are one session together are one source. Hidden files and folders below a named one are left out. Raises
    `UnreadableInput` for a path at which there's nothing.
    """
    found: dict[str, Source] = {}
    files: dict[str, set[str]] = {}
    for path in paths:
        if is_url(path):
            from analyzer.audit.sources.remote import search_remote

            _take(found, search_remote(path))
        else:
            for place in _expanded(path):
                absolute = os.path.normpath(place.absolute())
                if place.is_dir():
                    _take(found, search(absolute))
                else:
                    files.setdefault(os.path.dirname(absolute), set()).add(os.path.basename(absolute))  # noqa: PTH119, PTH120
    for folder, names in files.items():
        below = LocalTree(folder)
        _take(found, (_source(below, unit, named=True) for unit in of_files(below, "", sorted(names))))
    # What is a member of another source is none itself.
    inside = {
        member for path, source in found.items() for name in source.members if (member := _inside(source, name)) != path
    }
    yield from (found[path] for path in sorted(found) if path not in inside)


def _take(found: dict[str, Source], sources: Iterable[Source | None]) -> None:
    for source in filter(None, sources):
        have = found.get(source.path)
        if have is None:
            found[source.path] = source
        else:
            # With its sub-agents' files a session is more than without them, and what was named once was named.
            fuller = max((have, source), key=lambda entry: len(entry.members))
            found[source.path] = replace(fuller, named=have.named or source.named)


def _inside(source: Source, name: str) -> str:
    return f"{source.root}/{name}" if source.is_remote else os.path.normpath(os.path.join(source.root, name))  # noqa: PTH118


def _expanded(path: str) -> list[Path]:
    place = Path(_of_file_url(path)).expanduser()
    if os.path.lexists(place):
        if not place.is_dir() and place.exists() and not place.is_file():
            raise UnreadableInput("is no regular file.", where=path)
        return [place]
    found = [Path(name) for name in sorted(glob(str(place), recursive=True))] if has_magic(str(place)) else []  # noqa: PTH207
    if not found:
        raise UnreadableInput("no such file or folder, and no pattern that fits any.", where=path)
    folders = {name for name in found if name.is_dir()}
    # Whoever writes `**/*.json` doesn't mean the report and the tables of an audit.
    ours = {
        name
        for name in found
        if (is_own(name.name) and is_result(str(name.parent)))
        or (name.parent.name == TABLES and is_result(str(name.parent.parent)))
    }
    return [
        name
        for name in found
        if folders.isdisjoint(name.parents) and (name in folders or (name.is_file() and name not in ours))
    ]


def _of_file_url(path: str) -> str:
    if not path.startswith("file://"):
        return path
    from urllib.request import url2pathname

    parts = urlsplit(path)
    if parts.netloc not in ("", "localhost"):
        raise UnreadableInput(
            "names another machine; a file URL has no host.", where=path, hint="Write file:///folder/file."
        )
    return url2pathname(path.removeprefix("file://").removeprefix("localhost"))


class LocalTree(DirectoryTree):
    """What lies below one folder, without what a search leaves out."""

    def __init__(self, top: str) -> None:
        super().__init__(top)
        self.unreadable: list[str] = []
        self.entries = cache(self._entries)  # type: ignore[method-assign]

    def _entries(self, folder: str) -> tuple[list[str], list[str]]:
        try:
            files, folders = super().entries(folder)
        except OSError:
            self.unreadable.append(folder)
            return [], []
        files, folders = list(filter(is_candidate, files)), list(filter(is_searched, folders))
        if is_result(self.place(folder)):
            files, folders = [name for name in files if not is_own(name)], [name for name in folders if name != TABLES]
        return files, folders


def search(folder: str) -> Iterator[Source | None]:
    """The sources in and below a folder, by path."""
    session = session_at(folder)
    tree = LocalTree(folder if session is None else os.path.dirname(folder))  # noqa: PTH120
    for unit in units(tree) if session is None else [session]:
        yield _source(tree, unit, named=False)
    for place in tree.unreadable:
        # Opening what can't be listed says why.
        yield Source(tree.place(place), 0, 0, (".",), root=tree.place(place))


def _source(tree: LocalTree, unit: Unit, *, named: bool) -> Source | None:
    """The source that a unit is; None for one that isn't there and wasn't named."""
    path = os.path.normpath(tree.place(unit.path))
    if not unit.members:
        state = _state(path)
        if state is None:
            return Source(path, 0, 0, named=True) if named else None
        # In the write-ahead log beside a database new rows stand first.
        log = _state(f"{path}-wal") if path.endswith(DATABASES) else None
        more, later = (log.st_size, log.st_mtime_ns) if log is not None else (0, 0)
        whole = Source(path, state.st_size + more, max(state.st_mtime_ns, later), named=named)
        return whole if S_ISREG(state.st_mode) else None
    root = os.path.normpath(tree.place(unit.root))
    states = [(name, _state(os.path.join(root, name))) for name in unit.members]  # noqa: PTH118
    there = [(name, state) for name, state in states if state is not None and S_ISREG(state.st_mode)]
    size = sum(state.st_size for _, state in there)
    changed = max((0, *(state.st_mtime_ns for _, state in there)))
    return Source(path, size, changed, tuple(name for name, _ in there), named, root) if there else None


def _state(place: str) -> os.stat_result | None:
    try:
        return os.stat(place)  # noqa: PTH116
    except OSError:
        return None
