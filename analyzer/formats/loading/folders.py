"""Which files of a tree of folders belong together: the folder that is one session, the session with its sub-agents'
files.

Every format that reads several files together says so in its layout. A layout decides by the names that stand directly
in a folder, and by a look at the beginning of a file where names aren't enough, so that a tree of a hundred thousand
files is gone through once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePath

from analyzer.formats.container.tree import Claim, DirectoryTree, Folder, Tree, Unit
from analyzer.formats.loading.registry import layouts


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
