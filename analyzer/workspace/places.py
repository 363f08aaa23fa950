"""The places of a file that a change touched: the lines before and after, and which of them stayed."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.model.action import Action
from analyzer.workspace.document import Document
from analyzer.workspace.history import History
from analyzer.workspace.patches import is_patch, parse
from analyzer.workspace.paths import normal
from analyzer.workspace.states import Version

_MOST_LINES = 6_000
_MOST_COMPARED = 1_000
"""Lines up to which each line of a place is compared, however common it is."""
_AROUND = 30
"""Unchanged lines that are kept above and below a changed place."""


@dataclass(slots=True, frozen=True)
class Place:
    """Consecutive lines of a file before and after a change. `stayed` has for each old line its index among the new
    ones, None where it was taken out; `line` is the number of the first new line, None where that isn't known."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    stayed: tuple[int | None, ...]
    line: int | None

    @property
    def put_in(self) -> set[int]:
        """The indexes of the new lines that weren't there before."""
        return set(range(len(self.new))) - {index for index in self.stayed if index is not None}


def places_of(version: Version) -> Iterator[Place]:
    """What one change of a file did, place by place, as far as its lines are known before and after."""
    old, new = version.before, version.after
    if not new.exists or not old.exists:
        return
    if old.text is not None and new.text is not None:
        yield from _of_texts(old.text, new.text)
        return
    for fragment in new.fragments:
        if fragment in old.fragments or fragment.before is None or fragment.everywhere:
            continue
        above, below = list(fragment.above), list(fragment.below)
        before, after = _lines(fragment.before), _lines(fragment.after)
        first = fragment.line - len(above) if fragment.line is not None else None
        yield _place([*above, *before, *below], [*above, *after, *below], first)


@dataclass(slots=True, frozen=True)
class Touched:
    """What the action at an index did to one file, place by place."""

    index: int
    path: str
    places: tuple[Place, ...]


def touched_places(history: History) -> list[Touched]:
    """What each step of a session did to the files: by the files before and after it, and by the patch that it
    applies."""
    found: list[Touched] = []
    for index, (action, step) in enumerate(zip(history.actions, history.taken, strict=True)):
        places: dict[str, list[Place]] = {}
        for version in step.versions:
            places.setdefault(version.path, []).extend(places_of(version))
        for text in _texts(action) if places and action.accepted_edits else ():
            for name, place in places_in(text) if is_patch(text) else ():
                path = normal(name, step.directory)
                if path in places:
                    places[path].append(place)
        found.extend(Touched(index, path, tuple(entries)) for path, entries in places.items() if entries)
    return found


def places_in(patch: str) -> Iterator[tuple[str, Place]]:
    """What a patch does to files that it changes, hunk by hunk, each with the file's name."""
    for file in parse(patch):
        if file.verb == "Update":
            yield from ((file.name, _place(before, after, None)) for before, after in file.hunks)


def texts_of(document: Document) -> Iterator[list[str]]:
    """The runs of consecutive lines that are known of a file as it is now."""
    if not document.exists:
        return
    if document.text is not None:
        yield document.text.split("\n")
        return
    for window in document.windows:
        yield list(window.lines)
    for fragment in document.fragments:
        yield [*fragment.above, *_lines(fragment.after), *fragment.below]


def _texts(action: Action) -> list[str]:
    arguments = action.arguments
    return [arguments] if isinstance(arguments, str) else [text for text in arguments.values() if isinstance(text, str)]


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _place(old: list[str], new: list[str], first: int | None) -> Place:
    stayed: list[int | None] = [None] * len(old)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=max(len(old), len(new)) > _MOST_COMPARED)
    for start, there, size in matcher.get_matching_blocks():
        stayed[start : start + size] = range(there, there + size)
    return Place(tuple(old), tuple(new), tuple(stayed), first)


def _of_texts(before: str, after: str) -> Iterator[Place]:
    """The one place between the first and the last line that differ, with some lines around it."""
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    head = next((index for index in range(most) if old[index] != new[index]), most)
    tail = next((index for index in range(most - head) if old[-1 - index] != new[-1 - index]), most - head)
    first, last_old, last_new = max(0, head - _AROUND), len(old) - tail + _AROUND, len(new) - tail + _AROUND
    if max(len(old), len(new)) - head - tail <= _MOST_LINES:
        yield _place(old[first:last_old], new[first:last_new], first + 1)
