"""What the user names: files, symbols and commands.

What a sentence of the user points at: paths, files and names.
"""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.text.late import late
from analyzer.text.names import name_set

_LONGEST = 30_000
_MOST = 100
_EXTENSION = r"[A-Za-z][A-Za-z0-9]{0,9}"
_FILE = late(
    rf"(?<![\w/@:.-])(?:@)?(?P<name>(?:[A-Za-z]:[\\/]|~/"
    rf"|\.{{0,2}}/)?(?:[\w.@+-]{{1,80}}[\\/]){{0,12}}[\w.@+-]{{0,80}}\w\.{_EXTENSION}"
    r"|(?:[\w.@+-]{1,80}/){0,12}(?:Makefile|Dockerfile|Justfile|Gemfile|Rakefile|\.gitignore|\.env))(?![\w/\\])"
)
_NO_FILE = late(
    r"^(?:e\.g|i\.e|etc\.\w*|vs\.\w*|[\d.]+[A-Za-z]?|\w+\.(?:com|org|net|io|dev|ai)|node\.js|next\.js|vue\.js"
    r"|asp\.net)$"
)
_SPAN = late(r"`(?P<code>[^`\n]{1,200})`")
_CALL = late(r"\b(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\(\)")
_IDENTIFIER = late(r"\b(?P<name>[a-z]\w*_\w+|[a-z]+[A-Z]\w+|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z][A-Z0-9]*_[A-Z0-9_]+)\b")
_SYMBOL = late(r"^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?$")
_PROGRAMS = name_set(
    "npm npx pnpm yarn bun deno node python python3 pip uv poetry pytest tox nox make just git gh docker kubectl helm "
    "terraform cargo go rustc mvn gradle dotnet ruby bundle rake php composer ls cat cd rm mkdir cp mv curl wget "
    "ssh bash sh sed awk grep find apt brew conda ruff mypy eslint tsc vitest jest alembic psql sqlite3"
)


@dataclass(frozen=True, slots=True)
class Names:
    """What a text names, each once and in order. Symbols are identifiers as they're written in code."""

    files: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


def names_of(text: str) -> Names:
    """The files, symbols and commands in the user's own words."""
    text = text[:_LONGEST]
    commands = [span.strip("$ ") for found in _SPAN.finditer(text) if _is_command(span := found["code"].strip("$ "))]
    files = [
        name.removeprefix("./")
        for found in _FILE.finditer(text)
        if _NO_FILE.match(name := found["name"]) is None
        and "://" not in text[max(0, found.start() - 60) : found.start()].split(" ")[-1]
    ]
    symbols = [span.removesuffix("()") for found in _SPAN.finditer(text) if _SYMBOL.match(span := found["code"])]
    symbols += [found["name"] for pattern in (_CALL, _IDENTIFIER) for found in pattern.finditer(text)]
    return Names(
        tuple(dict.fromkeys(files))[:_MOST],
        tuple(name for name in dict.fromkeys(symbols) if not _inside(name, files))[:_MOST],
        tuple(dict.fromkeys(commands))[:_MOST],
    )


def _is_command(span: str) -> bool:
    words = span.split()
    return bool(words) and (words[0] in _PROGRAMS if len(words) > 1 else words[0].startswith("./"))


def _inside(name: str, files: list[str]) -> bool:
    """Whether a symbol is only a part of a file's name."""
    return any(name in file for file in files)


_LONGEST_REFERENCE = 4_000
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
    text = text[:_LONGEST_REFERENCE]
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
