"""Whether what a step changed is still there in what the session left."""

from __future__ import annotations

from analyzer.workspace.difference import is_as_at_first
from analyzer.workspace.document import Document, known_texts
from analyzer.workspace.history import History
from analyzer.workspace.states import Version

_LEAST = 4
"""Characters of a line below which finding it again says nothing."""


class KeptChanges:
    """What a session left, file by file, read once for all steps that are asked about."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._first: dict[str, set[str]] = {}
        self._final: dict[str, set[str]] = {}

    def holds(self, step: int, lane: str) -> bool:
        """Whether a file that a step changed holds at the end what the step put into it: the very content, or a line
        that only the step had brought in."""
        places = self._history.places(step, lane)
        return any(self._is_kept(version) for place in places for version in self._history.taken[place].versions)

    def _is_kept(self, version: Version) -> bool:
        history, path = self._history, version.path
        files = history.files
        final = files.get(path)
        if not final.exists or is_as_at_first(history, path):
            return False
        if files.equal.of(path, final.token) == files.equal.of(path, version.after.token):
            return True
        if path not in self._final:
            self._first[path], self._final[path] = _lines_of(files.original.get(path) or ""), _lines(final)
        new = _lines(version.after) - _lines(version.before) - self._first[path]
        return not new.isdisjoint(self._final[path])


def _lines(document: Document) -> set[str]:
    """The lines that are known of a file, and those that were put into it."""
    known = [*known_texts(document), *(fragment.after for fragment in document.fragments)]
    return {line for text in known for line in _lines_of(text)}


def _lines_of(text: str) -> set[str]:
    return {line for raw in text.splitlines() if len(line := raw.strip()) >= _LEAST}
