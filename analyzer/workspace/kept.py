"""Whether what a step changed is still there in what the session left."""

from __future__ import annotations

from analyzer.workspace.difference import is_as_at_first
from analyzer.workspace.document import Document, known_texts
from analyzer.workspace.history import History
from analyzer.workspace.states import Version

_LEAST = 4
"""Characters of a line below which finding it again says nothing."""


def is_kept(history: History, step: int, lane: str) -> bool:
    """Whether a file that a step changed holds at the end what the step put into it: the very content, or a line that
    only the step had brought in."""
    return any(
        _is_kept(history, version)
        for taken in history.taken
        if (taken.number, taken.lane) == (step, lane)
        for version in taken.versions
    )


def _is_kept(history: History, version: Version) -> bool:
    files = history.files
    final = files.get(version.path)
    if not final.exists or is_as_at_first(history, version.path):
        return False
    if files.equal.of(version.path, final.token) == files.equal.of(version.path, version.after.token):
        return True
    new = _lines(version.after) - _lines(version.before) - _lines_of(files.original.get(version.path) or "")
    return bool(new & _lines(final))


def _lines(document: Document) -> set[str]:
    """The lines that are known of a file, and those that were put into it."""
    known = [*known_texts(document), *(fragment.after for fragment in document.fragments)]
    return {line for text in known for line in _lines_of(text)}


def _lines_of(text: str) -> set[str]:
    return {line for raw in text.splitlines() if len(line := raw.strip()) >= _LEAST}
