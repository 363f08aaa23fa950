"""Which files of a tree of folders belong together: the folder that is one session, the session with its sub-agents'
files. A layout decides by the names that stand directly in a folder, and by a look at the beginning of a file where
names aren't enough, so that a tree of a hundred thousand files is gone through once.

A row names files as patterns, `a|b` for one or the other; `folder/file` is looked for in a folder of this one, and
`folder/` is the folder itself. Names such as `results.json` are common, so that a look inside has to confirm them.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any

from analyzer.formats.container.tree import Claim, DirectoryTree, Folder, Tree, Unit
from analyzer.formats.loading.interface import Layout
from analyzer.formats.loading.registry import layouts
from analyzer.model.struct import Struct
from analyzer.text.expressions import KEPT

_LINES = ".jsonl"
_MOST_LEADS = 3


def _found(folder: Folder, patterns: str) -> Iterator[str]:
    """The files that one of the patterns names, as paths from the folder on."""
    for pattern in patterns.split("|"):
        place, _, name = pattern.rpartition("/")
        names = folder.inside(place) if place and name else folder.files
        if not name:
            yield from (pattern for one in folder.folders if one == place)
        elif "*" in name:
            yield from (posixpath.join(place, one) for one in names if fnmatchcase(one, name))
        elif name in names:
            yield pattern


class _Whole(Struct, frozen=True):
    """A folder that is one session with all that is below it. It has one file of each of `needs`, the first of which
    holds one of the `words`; `repeated` is a file elsewhere that says the same of several. With `alone` it has nothing
    but these files."""

    needs: tuple[str, ...]
    words: tuple[bytes, ...] = ()
    repeated: str | None = None
    alone: bool = False

    def claim(self, folder: Folder) -> Claim | None:
        found = [next(_found(folder, patterns), None) for patterns in self.needs] if folder.entire else [None]
        if None in found or (self.alone and len(list(_found(folder, self.needs[0]))) < len(folder.files)):
            return None
        if self.words and not folder.holds(str(found[-1]), *self.words):
            return None
        whole = Unit(folder.path, folder.path, folder.tree.below(folder.path))
        repeated = posixpath.normpath(folder.place(self.repeated)) if self.repeated else None
        return Claim((whole,), frozenset(folder.files), frozenset(folder.folders), repeated)


class _Parts(Struct, frozen=True):
    """A session `lead`, where it holds one of the words, with the other files that belong to it. What `repeats` the
    session isn't read. With `by_folder` the session is called by its folder. `refers` finds the names of further parts
    in the text of one. Files that were named one by one are only joined where that's `even_named`. Where some endings
    set the messages `apart`, one of the few files without them holds one of the words."""

    lead: str
    others: str
    words: tuple[bytes, ...] = ()
    repeats: bool = False
    by_folder: bool = False
    refers: re.Pattern[bytes] | None = None
    even_named: bool = False
    apart: tuple[str, ...] = ()

    def claim(self, folder: Folder) -> Claim | None:
        lead = next(_found(folder, self.lead), None)
        if lead is None or (folder.named and not self.even_named):
            return None
        parts = dict.fromkeys((*_found(folder, self.lead), *_found(folder, self.others)))
        several = len(parts) > 1 or (self.refers is not None and len(folder.files) > 1)
        leads = [name for name in parts if not name.endswith(self.apart)] if self.apart else [lead]
        if not several or len(leads) > _MOST_LEADS:
            return None
        if self.words and not any(folder.holds(name, *self.words) for name in leads):
            return None
        parts.update(dict.fromkeys(self._referred(folder, lead)))
        if len(parts) < 2:
            return None
        path = folder.path if self.by_folder else folder.place(lead)
        unit = Unit(path) if self.repeats else Unit(path, folder.path, tuple(sorted(parts)))
        within = frozenset(posixpath.dirname(name) for name in parts) - {""}
        return Claim((unit,), frozenset(name for name in parts if "/" not in name), within)

    def _referred(self, folder: Folder, lead: str) -> Iterator[str]:
        waiting, known = [lead] if self.refers is not None else [], {lead}
        while waiting and self.refers is not None:
            for reference in self.refers.findall(folder.tree.read(folder.place(waiting.pop()))):
                name = posixpath.basename(reference.decode("utf-8", "replace"))
                if name in folder.files and name not in known:
                    known.add(name)
                    waiting.append(name)
                    yield name


class _Pairs(Struct, frozen=True):
    """Sessions `X.jsonl`, each with the file that is called `beside` in place of its suffix. One of the words stands
    near the beginning of the session, where the name alone doesn't tell. What `repeats` the session isn't read."""

    beside: str
    words: tuple[bytes, ...] = ()
    repeats: bool = False

    def claim(self, folder: Folder) -> Claim | None:
        names = frozenset(folder.files)
        both = [
            (name, other)
            for name in sorted(names)
            if name.endswith(_LINES)
            and (other := name.removesuffix(_LINES) + self.beside) in names
            and (not self.words or folder.holds(name, *self.words))
        ]
        if not both or (self.repeats and folder.named):
            return None
        units = (
            Unit(folder.place(lines)) if self.repeats else Unit(folder.place(lines), folder.path, (lines, facts))
            for lines, facts in both
        )
        return Claim(tuple(units), frozenset(name for pair in both for name in pair))


_SORTS = {"whole": _Whole, "parts": _Parts, "pairs": _Pairs}


def _row(about: dict[str, Any]) -> Layout:
    """The row that a table of the file beside this module is; its `sort` says of which kind."""
    sort = _SORTS[about.pop("sort")]
    for key, value in about.items():
        lists = tuple(one.encode() if key == "words" else one for one in value) if isinstance(value, list) else value
        about[key] = re.compile(value.encode()) if key == "refers" else lists
    made: Layout = sort(**about)
    return made


ROWS = tuple(map(_row, KEPT.table(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["row"]))
"""Asked in this order, before the formats whose folders need more than a row."""


def units(tree: Tree, folder: str = "") -> list[Unit]:
    """Everything in and below a folder, each file once, by path."""
    found: list[Unit] = []
    repeated: set[str | None] = set()
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        files, folders = tree.entries(place)
        claims, rest = _claims(Folder(tree, place, tuple(files), tuple(folders)))
        found += [unit for claim in claims for unit in claim.units]
        found += [Unit(rest.place(name)) for name in rest.files]
        repeated.update(claim.repeated for claim in claims)
        waiting += map(rest.place, rest.folders)
    return sorted((unit for unit in found if unit.members or unit.path not in repeated), key=lambda unit: unit.path)


def of_files(tree: Tree, folder: str, names: Iterable[str]) -> list[Unit]:
    """What some files of one folder make up, with the folders beside them that belong to sessions among them."""
    claims, rest = _claims(Folder(tree, folder, tuple(names), tuple(tree.entries(folder)[1]), named=True, entire=False))
    return [unit for claim in claims for unit in claim.units] + [Unit(rest.place(name)) for name in rest.files]


def session_at(path: str | os.PathLike[str]) -> Unit | None:
    """The session that a file is with what lies in the folder of its name beside it, or that such a folder is with the
    file; None where no format keeps a session so. The unit's paths go from the folder above on."""
    place = Path(os.path.abspath(path))  # noqa: PTH100 - links stay as they are
    name = place.name if (whole := place.is_dir()) else place.stem
    if not (place.parent / name).is_dir():
        return None
    tree = DirectoryTree(str(place.parent))
    try:
        files, folders = tree.entries("")
        own = tuple(file for file in files if file == place.name or (whole and PurePath(file).stem == name))
        if not own or name not in folders:
            return None
        claims, rest = _claims(Folder(tree, "", own, (name,), named=True, entire=False))
    except OSError:
        return None
    found = [unit for claim in claims for unit in claim.units if unit.members]
    if whole and not found and name not in rest.folders:
        return Unit(own[0], "", own)
    return found[0] if len(found) == 1 else None


def _claims(folder: Folder) -> tuple[list[Claim], Folder]:
    """What the formats read together in a folder, and what is left of it."""
    claims: list[Claim] = []
    for layout in layouts():
        claim = layout.claim(folder)
        if claim is not None:
            claims.append(claim)
            folder = folder.without(claim)
    return claims, folder
