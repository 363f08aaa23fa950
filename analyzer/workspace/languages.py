"""Which language a text is written in, where that is plain, and which one a file's suffix announces."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from analyzer.text.late import late

_MARKS = {
    "Java": late(
        r"^\s*(?:import (?:static )?[\w.]+(?:\.\*)?;|package [\w.]+;|@(?:Test|Override)\b"
        r"|(?:public|private|protected) (?:static |final |abstract )*[\w<>\[\], ]+[({])",
        re.MULTILINE,
    ),
    "XML": late(r"\A\s*<\?xml\b|\A\s*<(?P<tag>[\w:.-]+)(?:\s[^<>]*)?>[\s\S]*</(?P=tag)>\s*\Z"),
    "Python": late(
        r"^\s*(?:(?:async )?def \w+\(.*\)(?: ->[^:]+)?:|from [\w.]+ import [\w*(]|import [\w.]+(?: as \w+)?\s*$"
        r"|class \w+(?:\([\w., =]*\))?:\s*$|if __name__ ==)",
        re.MULTILINE,
    ),
    "Go": late(r"^(?:package \w+\s*$|func (?:\(\w+ \*?\w+\) )?\w+\(.*\).*\{\s*$|import \()", re.MULTILINE),
    "C": late(r"^\s*#include [<\"]", re.MULTILINE),
    "Rust": late(r"^\s*(?:use [\w:]+(?:::\{[^}]*\})?;|(?:pub )?fn \w+[<(].*\{\s*$|impl(?:<.*>)? \w+)", re.MULTILINE),
}
_LANGUAGES = {
    ".java": "Java",
    ".xml": "XML",
    ".py": "Python",
    ".go": "Go",
    ".c": "C",
    ".h": "C",
    ".cc": "C",
    ".cpp": "C",
    ".hpp": "C",
    ".rs": "Rust",
}
_LONGEST = 20_000


def language_of(path: str) -> str | None:
    """The language that a file's suffix announces; None for one that isn't known here."""
    return _LANGUAGES.get(PurePosixPath(path.replace("\\", "/")).suffix.lower())


def written_in(text: str) -> str | None:
    """The one language that a text has marks of; None where it has none, or of several."""
    found = [name for name, marks in _MARKS.items() if marks.search(text[:_LONGEST]) is not None]
    return found[0] if len(found) == 1 else None


def other_language(path: str, text: str) -> tuple[str, str] | None:
    """The language of a text and the one of the file that it's put into, where both are plain and differ."""
    wanted, given = language_of(path), written_in(text)
    return (given, wanted) if wanted is not None and given is not None and wanted != given else None
