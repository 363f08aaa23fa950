"""The edits that a patch makes: one for each of its files."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.action import Edit, Operation
from analyzer.model.words import Kind
from analyzer.workspace.patches import parse


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
