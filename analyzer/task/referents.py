"""What a sentence of the user points at: paths, files and names, a folder, or what the agent reported at the end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from analyzer.task.names import names_of
from analyzer.text.late import late

_LONGEST = 4_000
_FOLDER = late(
    r"(?<![\w/\\:.@-])(?:[A-Za-z]:[\\/]|~/|/(?=\w))[\w.@+-]{1,80}(?:[\\/][\w.@+-]{1,80}){0,12}"
    r"|(?<![\w/\\:.@-])(?:\.{1,2}/)?[\w.@+-]{1,80}(?:/[\w.@+-]{1,80}){0,12}/(?!\w)"
)
_NAMES = {
    "folder": late(r"\b(?:folder|directory|répertoire|dossier|Ordner|Verzeichnis|carpeta|directorio)\b", re.IGNORECASE),
    "report": late(r"\b(?:summary|résumé|recap|Zusammenfassung|resumen)\b", re.IGNORECASE),
}


class Referent(StrEnum):
    """What a noun without a name points at."""

    FOLDER = "folder"
    """A folder that was named before."""
    REPORT = "report"
    """What the agent says at the end."""


@dataclass(frozen=True, slots=True)
class Referents:
    """What is pointed at: `paths` and `names` in a form that can be compared; `folders` are those of the paths that end
    in no file; `things` are nouns without a name."""

    paths: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    things: frozenset[Referent] = frozenset()
    written: tuple[str, ...] = ()
    """The paths, then the names, to the letter."""

    def __or__(self, other: Referents) -> Referents:
        return Referents(
            self.paths | other.paths,
            self.folders | other.folders,
            self.names | other.names,
            self.things | other.things,
            tuple(dict.fromkeys([*self.written, *other.written])),
        )


def referents_of(text: str) -> Referents:
    """What the user points at in a text."""
    text = text[:_LONGEST]
    named = names_of(text)
    files = {_comparable(path): path for path in named.files}
    folders = {_comparable(found[0]): found[0] for found in _FOLDER.finditer(text)}
    folders = {path: written for path, written in folders.items() if path not in files}
    things = {Referent(name) for name, noun in _NAMES.items() if noun.search(text) is not None}
    return Referents(
        paths=frozenset([*files, *folders]),
        folders=frozenset(folders),
        names=frozenset(name.casefold() for name in named.symbols),
        things=frozenset(things | ({Referent.FOLDER} if folders else set())),
        written=(*folders.values(), *files.values(), *named.symbols),
    )


def same_referent(one: Referents, other: Referents) -> bool:
    """Whether two texts point at the same: a path or a name that is in both, or a folder or report of which not each
    names its own."""
    if one.names & other.names or any(_same_path(path, its) for path in one.paths for its in other.paths):
        return True
    if Referent.REPORT in one.things & other.things:
        return True
    return Referent.FOLDER in one.things & other.things and not (one.folders and other.folders)


def _comparable(path: str) -> str:
    return path.replace("\\", "/").rstrip("/.,").casefold()


def _same_path(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return bool(short) and (short == long or long.endswith(f"/{short}"))
