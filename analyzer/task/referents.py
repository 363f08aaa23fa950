"""What a sentence of the user points at: paths, files and names."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.task.names import names_of
from analyzer.text.late import late

_LONGEST = 4_000
_FOLDER = late(
    r"(?<![\w/\\:.@-])(?:[A-Za-z]:[\\/]|~/|/(?=\w))[\w.@+-]{1,80}(?:[\\/][\w.@+-]{1,80}){0,12}"
    r"|(?<![\w/\\:.@-])(?:\.{1,2}/)?[\w.@+-]{1,80}(?:/[\w.@+-]{1,80}){0,12}/(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Referents:
    """What is pointed at: `paths` and `names` in a form that can be compared."""

    paths: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    written: tuple[str, ...] = ()
    """The paths, then the names, to the letter."""

    def __or__(self, other: Referents) -> Referents:
        return Referents(
            self.paths | other.paths,
            self.names | other.names,
            tuple(dict.fromkeys([*self.written, *other.written])),
        )


def referents_of(text: str) -> Referents:
    """What the user points at in a text."""
    text = text[:_LONGEST]
    named = names_of(text)
    files = {_comparable(path): path for path in named.files}
    folders = {_comparable(found[0]): found[0] for found in _FOLDER.finditer(text)}
    folders = {path: written for path, written in folders.items() if path not in files}
    return Referents(
        paths=frozenset([*files, *folders]),
        names=frozenset(name.casefold() for name in named.symbols),
        written=(*folders.values(), *files.values(), *named.symbols),
    )


def same_referent(one: Referents, other: Referents) -> bool:
    """Whether two texts point at the same: a path or a name that is in both."""
    return bool(one.names & other.names) or any(_same_path(path, its) for path in one.paths for its in other.paths)


def _comparable(path: str) -> str:
    return path.replace("\\", "/").rstrip("/.,").casefold()


def _same_path(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return bool(short) and (short == long or long.endswith(f"/{short}"))
