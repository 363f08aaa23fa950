"""What a result shows of its call where the log keeps the call without its arguments: the file that was edited, the
lines that were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analyzer.failures.envelope import printed
from analyzer.model.action import Action, Edit, Operation
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.plain import plain
from analyzer.workspace.shown import numbered

_CHANGED = late(
    r"\b(?:updated|edited|created|modified|wrote|written|saved|overwritten|overwrote|replaced|patched|changed)\b"
    r"|\bapplied\b[^\n]{0,40}\b(?:edit|change|patch|diff|hunk|replacement)",
    2,
)
_CREATED = late(r"\b(?:created|wrote|written|overwritten|overwrote)\b", 2)
_PATH = late(r"(?<![\w./\\~-])(?:[A-Za-z]:)?[\w@.~/\\+-]{0,300}[/\\.][\w@+-]{1,80}(?![\w/\\])")
_LEAST = 2
"""Lines with numbers that follow each other: one may be what a file holds."""
_LONGEST = 400
"""Characters of a line that reports a change."""


def complete(operation: Operation, action: Action) -> Operation:
    """What a call does, with what only its result says. The path of an edit is taken from a first line that reports a
    change and names one file; the lines of a read from the numbers in front of them."""
    result = action.result
    if not result:
        return operation
    if operation.kind is Kind.EDIT and not operation.edits and not operation.path and not _says_something(action):
        return _edited(operation, result)
    if operation.kind is Kind.READ and operation.path and operation.command is None:
        return _read(operation, result)
    return operation


def _says_something(action: Action) -> bool:
    """Whether the arguments were recorded."""
    return isinstance(action.arguments, str) or (isinstance(action.arguments, Mapping) and bool(action.arguments))


def _edited(operation: Operation, result: str) -> Operation:
    first = plain(printed(result)).strip().split("\n", 1)[0]
    if len(first) > _LONGEST or _CHANGED.search(first) is None:
        return operation
    paths = {found.group() for found in _PATH.finditer(first.rstrip(".! "))}
    if len(paths) != 1:
        return operation
    (path,) = paths
    made = Edit(path, created=_CREATED.search(first) is not None)
    return replace(operation, path=path, target=path, edits=(made,))


def _read(operation: Operation, result: str) -> Operation:
    """The lines that were read: those that the call names, unless the result shows fewer from the first of them on."""
    shown = numbered(result, _LEAST)
    if shown is None or not shown.alone or len(shown.lines) < _LEAST:
        return operation
    asked = operation.lines
    if asked is None:
        return replace(operation, lines=(shown.start, shown.last)) if shown.start > 1 else operation
    fewer = not shown.cut and asked[0] == shown.start and (asked[1] is None or shown.last < asked[1])
    return replace(operation, lines=(shown.start, shown.last)) if fewer else operation
