"""Which files of a tree of folders belong together: the folder that is one session, the session with its sub-agents'
files.

Every format that reads several files together says so in its layout. A layout decides by the names that stand directly
in a folder, and by a look at the beginning of a file where names aren't enough, so that a tree of a hundred thousand
files is gone through once.
"""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.formats.container.tree import Claim, Folder, Tree, Unit
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


def with_its_folder(tree: Tree, name: str) -> tuple[str, ...]:
    """The files that are read together with the session's file `name` and the folder called like it, or of such a
    folder with the file; none where nothing else belongs to the file."""
    stem = name.removesuffix(".jsonl")
    own = tuple(file for file in (f"{stem}.jsonl",) if tree.read(file, 1))
    claims, _ = _claims(Folder(tree, "", own, (stem,), named=bool(own), entire=False))
    found = [unit.members for claim in claims for unit in claim.units if len(unit.members) > len(own)]
    return found[0] if len(found) == 1 else ()


def _claims(folder: Folder) -> tuple[list[Claim], Folder]:
    """What the formats read together in a folder, and what is left of it."""
    claims: list[Claim] = []
    for layout in layouts():
        claim = layout.claim(folder)
        if claim is not None:
            claims.append(claim)
            folder = folder.without(claim)
    return claims, folder
