"""Read the files and texts out of a patch: unified diffs, the `*** Begin Patch` form and SEARCH/REPLACE blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.model.action import Edit, Operation
from analyzer.model.words import Kind

_FILE = re.compile(r"^\*\*\* (?P<verb>Add|Update|Delete) File: (?P<name>.+)$")
_OLD = re.compile(r"^--- (?:a/)?(?P<name>\S+)")
_NEW = re.compile(r"^\+\+\+ (?:b/)?(?P<name>\S+)")
_NOWHERE = "/dev/null"
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
    name: str | None = None
    created = False
    before: list[str] = []
    after: list[str] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        found = _FILE.match(line)
        old = _OLD.match(line)
        new = _NEW.match(lines[number + 1]) if old and number + 1 < len(lines) else None
        if found or (old and new):
            if name is not None:
                yield _edit(name, before, after, created)
            if found:
                name, created = found["name"].strip(), found["verb"] == "Add"
            elif old and new:
                name = old["name"] if new["name"] == _NOWHERE else new["name"]
                created = old["name"] == _NOWHERE
            before, after = [], []
        elif name is not None and not (_NEW.match(line) and number and _OLD.match(lines[number - 1])):
            if line.startswith("-"):
                before.append(line[1:])
            elif line.startswith("+"):
                after.append(line[1:])
    if name is not None:
        yield _edit(name, before, after, created)


def blocks_of(text: str, path: str) -> Iterator[Edit]:
    """One edit of the file `path` for each SEARCH/REPLACE block."""
    for found in _BLOCK.finditer(text):
        old = _BLOCK_HEAD.sub("", found["old"])
        if old.strip():
            yield Edit(path, old.removesuffix("\n"), found["new"].removesuffix("\n"))
        else:
            yield Edit(path, None, found["new"], created=True)


def _edit(name: str, before: list[str], after: list[str], created: bool) -> Edit:
    return Edit(name, "\n".join(before) or None, "\n".join(after) or None, created=created)
