"""Folders and files as a tree, wherever they lie, and what belongs together in one folder of it."""

from __future__ import annotations

import os
import posixpath
from pathlib import Path
from typing import Protocol

from analyzer.formats.container.bundle import Bundle, DirectoryBundle
from analyzer.model.errors import UnreadableInput
from analyzer.model.struct import Struct, replace

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


class Unit(Struct, frozen=True):
    """One thing to read: a file, or the files `members` (paths from the folder `root` on) as one.

    `path` names it: the file, the folder, or the file of the session that the others belong to.
    """

    path: str
    root: str = ""
    members: tuple[str, ...] = ()


class Claim(Struct, frozen=True):
    """What a format reads together in one folder: the units, and the names of the files and folders directly in it that
    nothing else is to read.

    `repeated` is the path of a file elsewhere that only repeats what is read here.
    """

    units: tuple[Unit, ...]
    files: frozenset[str]
    folders: frozenset[str] = frozenset()
    repeated: str | None = None


class Folder(Struct, frozen=True):
    """One folder, as far as no format has claimed it: the names of the files and folders directly in it.

    `named` is True where somebody named the files one by one: what else lies in the folder isn't asked for. `entire` is
    True where nothing is missing from it.
    """

    tree: Tree
    path: str
    files: tuple[str, ...]
    folders: tuple[str, ...]
    named: bool = False
    entire: bool = True

    def place(self, *names: str) -> str:
        """The path of what has this name in the folder."""
        return posixpath.join(self.path, *names)

    def holds(self, name: str, *words: bytes) -> bool:
        """Whether one of the words is near the beginning of a file."""
        start = self.tree.read(self.place(name), _HEAD)
        return any(word in start for word in words)

    def inside(self, name: str) -> list[str]:
        """The names of the files in a folder in this one; empty where there's none."""
        return self.tree.entries(self.place(name))[0] if name in self.folders else []

    def without(self, claim: Claim) -> Folder:
        """What is left of the folder."""
        files = tuple(name for name in self.files if name not in claim.files)
        folders = tuple(name for name in self.folders if name not in claim.folders)
        return replace(self, files=files, folders=folders, entire=False)


class DirectoryTree:
    """What lies below one folder of this machine. Links to folders aren't followed."""

    def __init__(self, top: str) -> None:
        self._top = top

    def entries(self, folder: str) -> tuple[list[str], list[str]]:
        """The names directly in a folder. Raises `OSError` where it can't be listed."""
        with os.scandir(self.place(folder)) as found:
            kinds = {entry.name: entry.is_dir(follow_symlinks=False) for entry in found}
        return [name for name in sorted(kinds) if not kinds[name]], [name for name in sorted(kinds) if kinds[name]]

    def place(self, path: str) -> str:
        """A path of the tree as one of the machine."""
        return os.path.join(self._top, *path.split("/")) if path else self._top  # noqa: PTH118

    def below(self, folder: str) -> tuple[str, ...]:
        """All files below a folder, also those that a search leaves out."""
        return DirectoryBundle(self.place(folder)).names

    def read(self, path: str, size: int | None = None) -> bytes:
        """The beginning of a file."""
        try:
            with Path(self.place(path)).open("rb") as stream:
                return stream.read(-1 if size is None else size)
        except OSError:
            return b""


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
        self.names = members

    def read(self, name: str) -> bytes:
        """The bytes of a member."""
        return self._bundle.read(posixpath.join(self._root, name))
