"""Tables of expressions that are kept as text: how they're written, and how a record is made of a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from analyzer.text.expressions import KEPT
from analyzer.text.late import Hints, late

_Made = TypeVar("_Made")
_GOES_ON = "    "


def table_beside(module: str) -> Mapping[str, Any]:
    """The rows beside a module (`__file__`) as they're written, with its `parts`, of which each may name those above
    it."""
    data = KEPT.table(Path(module).with_name("rows.toml").read_text(encoding="utf-8"))
    parts: dict[str, str] = {}
    for name, part in data.get("parts", {}).items():
        parts[name] = joined(part, parts)[0]
    return {**data, "parts": parts}


def joined(text: str, parts: Mapping[str, str]) -> list[str]:
    """The lines of a text: one that is indented by four blanks goes on with the one above it, and `{NAME}` stands for
    one of the parts."""
    lines: list[str] = []
    for line in text.strip("\n").split("\n"):
        if line.startswith(_GOES_ON):
            lines[-1] += line[len(_GOES_ON) :]
        else:
            lines.append(line)
    for part, meaning in parts.items():
        lines = [line.replace(f"{{{part}}}", meaning) for line in lines]
    return lines


def made_of(kind: type[_Made], entries: Iterable[Mapping[str, Any]], parts: Mapping[str, str]) -> tuple[_Made, ...]:
    """A record of each entry, whose names are those of its fields in small letters. Where a field holds expressions,
    the entry has them as text, in which `^` and `$` mean line ends."""
    return tuple(kind(**dict(_fields(kind, entry, parts))) for entry in entries)


def _fields(kind: type, entry: Mapping[str, Any], parts: Mapping[str, str]) -> Iterable[tuple[str, Any]]:
    for name, annotation in kind.__annotations__.items():
        value = entry.get(name.lower())
        if value is None:
            continue
        if annotation == "Hints":
            yield name, Hints(*value)
        elif "Pattern" not in annotation:
            yield name, tuple(value) if isinstance(value, list) else value
        elif annotation.startswith("tuple[str"):
            yield name, (value[0], late(joined(value[1], parts)[0], re.MULTILINE))
        else:
            found = tuple(late(line, re.MULTILINE) for line in joined(value, parts))
            yield name, found if annotation.startswith("tuple") else found[0]
