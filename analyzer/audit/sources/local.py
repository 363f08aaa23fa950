"""The folders of this machine as a tree of sessions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from stat import S_ISREG

from analyzer.audit.sources.names import DATABASES, TABLES, is_candidate, is_own, is_result, is_searched
from analyzer.audit.sources.source import Source
from analyzer.formats.container.tree import DirectoryTree, Unit
from analyzer.formats.loading.folders import of_files, session_at, units


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


def search(folder: str) -> Iterator[Source]:
    """The sources in and below a folder, by path."""
    session = session_at(folder)
    tree = LocalTree(folder if session is None else os.path.dirname(folder))  # noqa: PTH120
    for unit in units(tree) if session is None else [session]:
        yield from _source(tree, unit, named=False)
    for place in tree.unreadable:
        # Opening what can't be listed says why.
        yield Source(tree.place(place), 0, 0, (".",), root=tree.place(place))


def sources_of(folder: str, names: Iterable[str]) -> Iterator[Source]:
    """The sources that these files of a folder, which were named, make up."""
    tree = LocalTree(folder)
    for unit in of_files(tree, "", sorted(names)):
        yield from _source(tree, unit, named=True)


def _source(tree: LocalTree, unit: Unit, *, named: bool) -> Iterator[Source]:
    """The source that a unit is; nothing for one that isn't there and wasn't named."""
    path = os.path.normpath(tree.place(unit.path))
    if not unit.members:
        try:
            state = os.stat(path)  # noqa: PTH116
        except OSError:
            yield from [Source(path, 0, 0, named=True)] if named else []
            return
        if S_ISREG(state.st_mode):
            more, later = _log_of(path)
            yield Source(path, state.st_size + more, max(state.st_mtime_ns, later), named=named)
        return
    root = os.path.normpath(tree.place(unit.root))
    size, changed, members = 0, 0, []
    for name in unit.members:
        try:
            state = os.stat(os.path.join(root, name))  # noqa: PTH116, PTH118
        except OSError:
            continue
        if S_ISREG(state.st_mode):
            size, changed = size + state.st_size, max(changed, state.st_mtime_ns)
            members.append(name)
    if members:
        yield Source(path, size, changed, tuple(members), named, root)


def _log_of(path: str) -> tuple[int, int]:
    """The size and the last change of the write-ahead log beside a database, in which new rows stand first."""
    if not path.endswith(DATABASES):
        return 0, 0
    try:
        state = os.stat(f"{path}-wal")  # noqa: PTH116
    except OSError:
        return 0, 0
    return state.st_size, state.st_mtime_ns
