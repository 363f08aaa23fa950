"""Literals in a line of code: what is given under which name, whatever the language.

stations=[0, 2]    stations: [0, 2]    let stations = vec![0, 2];    stations := []float64{0, 2}    "stations": [0, 2]
List<Integer> stations = List.of(0, 2);    std::vector<int> stations{0, 2};    $stations = [0, 2];    depth=-2
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from analyzer.model.struct import Struct
from analyzer.text.late import late

_TYPED = (
    r"(?:&?vec!|&|new\s{1,4}[\w<>.,]{1,40}\s{0,4}(?:\[\d{0,9}\])?\s{0,4}|new\s{0,4}\[\]\s{0,4}|\[\d{0,9}\][\w.*]"
    r"{1,40}|(?:\w{1,30}\.){1,3}(?:of|asList|from|newArrayList)"
    r"|(?:std::)?\w{1,30}<[\w:,<> ]{1,40}>|(?:array|tuple|list|set|listOf|arrayOf|setOf|mutableListOf"
    r"|\w{1,20}ArrayOf)(?=[(]))?"
)
_COLLECTION = r"\[[^\[\]]{0,2000}\]|\([^()]{0,2000}\)|\{[^{}]{0,2000}\}"
_STRING = r"\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'"
_NAMED = late(
    rf"(?<![\w.])\$?[\"']?(?P<name>[A-Za-z_]\w{{0,80}})[\"']?(?:\s{{0,4}}(?:=>|:=|=(?!=)|:(?!:))\s{{0,4}}{_TYPED}"
    rf"|(?=\{{))(?P<value>{_COLLECTION}|{_STRING}|-?\d{{1,15}}(?:\.\d{{1,15}})?)"
    r"(?=\s{0,4}(?:\.to_\w{1,9}|\.to\w{1,9}\(\))?\s{0,4}(?:[,)\]}#;]|//|$))"
)
_LONE = late(
    r"(?P<value>(?<![\w#@\])])\[[^\[\]]{1,2000}\]|(?:(?<=\w)|(?<=[>\]])|(?<=[>\]] ))\{[^{}:=]{1,2000}\}"
    r"|(?:(?<=\.of)|(?<=asList)|(?<=listOf))\([^()]{1,2000}\))(?=\s{0,4}(?:[,);\]}.]|$))"
)
_ENTRY = late(r"""^\s*(?:-?[\w.]+|"[^"]*"|'[^']*')\s*$""")


class Literal(Struct, frozen=True):
    """A literal with the name under which it's given (None for one without), as written, and how many entries or
    characters it has; None for what the text doesn't show."""

    name: str | None
    text: str
    length: int | None


def named_literals(line: str) -> Iterator[Literal]:
    """The literals of a line that are given by name."""
    for found in _NAMED.finditer(line):
        value = found["value"]
        shown = " ".join(found.group().split())
        yield Literal(found["name"], shown, None if re.fullmatch(r"-?[\d.]+", value) else length_of(value))


def lone_collection(line: str) -> Literal | None:
    """The only collection literal of a line, whatever it's called; None where there are several. One that is the whole
    line or stands before a declaration is an attribute (`[Fact]`)."""
    found = [match["value"] for match in _LONE.finditer(line)]
    if len(found) == 1 and line.strip() == found[0]:
        return None
    return Literal(None, " ".join(found[0].split()), length_of(found[0])) if len(found) == 1 else None


def length_of(literal: str) -> int | None:
    """How many entries a literal has; None for one whose length its text doesn't show (`[*a]`, a comprehension)."""
    repeated = re.fullmatch(r"\[[^;\[\]]{1,200};\s*(\d{1,9})\]", literal)
    if repeated:
        return int(repeated[1])
    try:
        with warnings.catch_warnings(action="ignore"):
            node = ast.parse(literal, mode="eval").body
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return _counted(literal)
    if isinstance(node, ast.Constant):
        return len(node.value) if isinstance(node.value, str) else None
    if isinstance(node, ast.Dict):
        return len(node.keys) if None not in node.keys else None
    if isinstance(node, ast.List | ast.Tuple | ast.Set) and not any(
        isinstance(entry, ast.Starred) for entry in node.elts
    ):
        return len(node.elts)
    return None


def _counted(literal: str) -> int | None:
    """The entries of a literal that is none in Python (`{1.0f, 2.0f}`), where all of them are plain words, numbers or
    strings."""
    inside = literal[1:-1].strip().removesuffix(",")
    if not inside:
        return 0
    entries = inside.split(",")
    return len(entries) if all(_ENTRY.match(entry) for entry in entries) else None
