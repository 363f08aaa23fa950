"""What the user names: files and symbols."""

from __future__ import annotations

from analyzer.model.struct import Struct
from analyzer.text.late import late

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


class Names(Struct, frozen=True):
    """What a text names, each once and in order. Symbols are identifiers as they're written in code."""

    files: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()


def names_of(text: str) -> Names:
    """The files and symbols in the user's own words."""
    text = text[:_LONGEST]
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
    )


def _inside(name: str, files: list[str]) -> bool:
    """Whether a symbol is only a part of a file's name."""
    return any(name in file for file in files)
