"""The edits that a patch makes, one for each of its files, and those of SEARCH/REPLACE blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.model.action import Edit, Operation
from analyzer.model.words import Kind
from analyzer.workspace.patches import parse

_BLOCK = re.compile(
    r"^[-<]{3,9} SEARCH>?[^\n]*\n(?P<old>(?:.*\n)*?)={3,9}[ \t]*\n(?P<new>(?:.*\n)*?)[+>]{3,9} REPLACE", re.MULTILINE
)
_BLOCK_HEAD = re.compile(r"\A(?::start_line:\d+\n|:end_line:\d+\n){0,2}(?:-{3,9}\n)?")
"""What one agent's blocks say of their place, above the text to be replaced."""


def operation_of(text: str, name: str) -> Operation:
    """The edit that a patch makes, called `name` where it touches no file."""
    edits = tuple(edits_of(text))
    target = ", ".join(dict.fromkeys(edit.path for edit in edits))
    return Operation(Kind.EDIT, target or name, path=edits[0].path if edits else None, edits=edits)


def edits_of(text: str) -> Iterator[Edit]:
    """One edit per file of a patch, with the lines taken out and put in."""
    for file in parse(text):
        before, after = "\n".join(file.removed) or None, "\n".join(file.added) or None
        yield Edit(file.name, before, after, created=file.verb == "Add")


def blocks_of(text: str, path: str) -> Iterator[Edit]:
    """One edit of the file `path` for each SEARCH/REPLACE block."""
    for found in _BLOCK.finditer(text):
        old = _BLOCK_HEAD.sub("", found["old"])
        if old.strip():
            yield Edit(path, old.removesuffix("\n"), found["new"].removesuffix("\n"))
        else:
            yield Edit(path, None, found["new"], created=True)
