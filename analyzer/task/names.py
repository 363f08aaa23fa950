"""What the user names: files and symbols."""

from __future__ import annotations

import re
from functools import lru_cache

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
SPAN = late(r"`(?P<code>[^`\n]{1,200})`")
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
    symbols = [span.removesuffix("()") for found in SPAN.finditer(text) if _SYMBOL.match(span := found["code"])]
    symbols += [found["name"] for pattern in (_CALL, _IDENTIFIER) for found in pattern.finditer(text)]
    return Names(
        tuple(dict.fromkeys(files))[:_MOST],
        tuple(name for name in dict.fromkeys(symbols) if not any(name in file for file in files))[:_MOST],
    )


_ASKS = late(
    r"\b(?:writ|creat|mak|build|implement|develop|generat|cod)(?:e|es|ing)?\b"
    r"(?P<what>(?:\s+(?!(?:to|of|in|for|on|from|with|that|which|so|by|into|at|as|sure)\b)[\w'\"`/+#-]{1,30}){0,7}?"
    r"\s+(?:scripts?|programs?|apps?|applications?|tools?|games?|utilit(?:y|ies)|cli|servers?|bots?"
    r"|crawlers?|scrapers?|parsers?|solvers?|calculators?|agents?|files?|modules?|tests?|specs?|demos?)\b[^.\n]{0,80})",
    re.IGNORECASE,
)
_FOR_A_TRIAL = late(
    r"\b(?:reproduc\w*|repro|verif\w*|confirm\w*|debug\w*|check\w*|validat\w*)\b|\btests? (?:script|file)s?\b"
    r"[^.\n]{0,30}\b(?:the (?:issue|fix|bug|error))",
    re.IGNORECASE,
)
"""What a script is for that is to show a fault or its repair, and isn't wanted for itself."""
_ABOUT = late(
    r"\b(?:why|how|does|did|doesn['’]t|didn['’]t|don['’]t|not|never|that|which|when|who|it|they)\b[^.!?\n]*$",
    re.IGNORECASE,
)
"""What makes the verb speak of what something else does, or isn't to do."""
_NEAR = 40
"""Characters before the verb in which that is looked for."""
_WORD = late(r"[A-Za-z]{3,}")


@lru_cache(maxsize=16)
def asked_for(task: str) -> str:
    """The part of a task that asks for a program, a script or a file; empty where none does. A script that is to show a
    fault, or that it's gone, isn't what the user wants to have."""
    found = (
        match
        for match in _ASKS.finditer(task)
        if _FOR_A_TRIAL.search(match["what"]) is None
        and _ABOUT.search(task[max(0, match.start() - _NEAR) : match.start()]) is None
    )
    return "\n".join(match[0] for match in found)


def spoken_of(asked: str, path: str) -> bool:
    """Whether what was asked for has all words of a file's name."""
    words = _WORD.findall(path.rpartition("/")[2].rpartition(".")[0])
    said = {word.casefold() for word in _WORD.findall(asked)}
    return bool(words) and all(word.casefold() in said for word in words)
