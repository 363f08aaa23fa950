"""The edits that a patch makes, one for each of its files, and those of SEARCH/REPLACE blocks."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.action import Edit, Operation
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.workspace.patches import parse

_MARK = late(r"(?P<search>[-<]{3,9} SEARCH\b)|(?P<divider>={3,9}[ \t]*$)|(?P<replace>[+>]{3,9} REPLACE\b)")
"""What stands before a text that is looked for, between that and what replaces it, and behind both."""
_BLOCK_HEAD = late(r"\A(?::start_line:\d+\n|:end_line:\d+\n){0,2}(?:-{3,9}\n)?")
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
    old: list[str] | None = None
    new: list[str] | None = None
    for line in text.splitlines(keepends=True):
        found = _MARK.match(line)
        mark = found.lastgroup if found is not None else None
        if old is None or mark == "search":
            old, new = ([], None) if mark == "search" else (None, None)
        elif new is None:
            if mark == "divider":
                new = []
            else:
                old.append(line)
        elif mark == "replace":
            before, after = _BLOCK_HEAD.sub("", "".join(old)), "".join(new)
            if before.strip():
                yield Edit(path, before.removesuffix("\n"), after.removesuffix("\n"))
            else:
                yield Edit(path, None, after, created=True)
            old = new = None
        else:
            new.append(line)
