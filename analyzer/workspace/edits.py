"""Edits held against earlier ones: those that take back, repeat or stack what was done before, by what became of the
file or by the texts that two edits exchange."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from analyzer.model.action import Action, Edit
from analyzer.model.struct import Struct, replace
from analyzer.workspace.document import Document, known_texts
from analyzer.workspace.fragments import equal_ends
from analyzer.workspace.history import History
from analyzer.workspace.paths import normal
from analyzer.workspace.states import Change, Step

_LEAST_TEXT = 8
"""Characters that two edits must have in common to be held to be at the same place, where one quotes more of the file
around them than the other."""
_MOST = 200
"""Edits of one file that are remembered, the latest ones."""

Texts = tuple[str, str]
"""What an edit replaces, and by what."""


class _Made(Struct):
    """The edits that a step made in a file."""

    step: int
    texts: Sequence[Texts]


class Standing:
    """The edits of one file whose text still stands."""

    def __init__(self) -> None:
        self._standing: list[_Made] = []
        self._changed_by: dict[int, list[_Made]] = {}
        """The edits whose text another step has changed, by that step."""

    def take(self, step: int, texts: Sequence[Texts]) -> int | None:
        """A step makes these edits; the step whose edits they reverse, all of them and nothing else. None where the
        same text was put in at several places, so that the one at which it's taken out isn't known."""
        related = {
            id(entry): entry
            for entry in self._standing
            for _, became in entry.texts
            for before, _ in texts
            if before in became or became in before
        }.values()
        matches = [entry for entry in related if _reverse(texts, entry.texts)]
        undone = matches[0] if len(matches) == 1 else None
        befores = [before for before, _ in texts if before]
        changed = matches or [  # what changes what earlier ones put in
            entry
            for entry in related
            if any(became and (text in became or became in text) for text in befores for _, became in entry.texts)
        ]
        self._standing = [entry for entry in self._standing if entry not in changed]
        if undone is not None:
            self._standing.extend(self._changed_by.pop(undone.step, ()))
        elif changed:
            self._changed_by.setdefault(step, []).extend(changed)
        if not (matches and undone is None):
            self._standing = [*self._standing[1 - _MOST :], _Made(step, texts)]
        return undone.step if undone is not None else None


def _reverse(texts: Sequence[Texts], earlier: Sequence[Texts]) -> bool:
    """Whether edits take back as many earlier ones."""
    if len(texts) != len(earlier):
        return False
    left = list(earlier)
    for edit in texts:
        match = next((other for other in left if _reverses(edit, other)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _reverses(edit: Texts, other: Texts) -> bool:
    (before, after), (was, became) = edit, other
    if (before, after) == (became, was):
        return before != after
    return _wider((before, after), (became, was)) or _wider((became, was), (before, after))


def _wider(wide: Texts, narrow: Texts) -> bool:
    """Whether two edits exchange the same texts, though one quotes more of what stands around them."""
    side = 0 if len(narrow[0]) >= len(narrow[1]) else 1
    text = narrow[side]
    if len(text.strip()) < _LEAST_TEXT or wide[side].count(text) != 1:
        return False
    head, tail = wide[side].split(text)
    return wide[1 - side] == head + narrow[1 - side] + tail


_LEAST_BLOCK = 20
"""Characters of a block of lines below which standing twice says nothing."""
_NEAR = 3
"""Lines between two equal blocks up to which the second is stacked onto the first."""


class Relation(StrEnum):
    """How an edit relates to an earlier one of the same file."""

    UNDOES = "undoes"
    """What the earlier edit changed in the file is reversed."""
    RESTORES = "restores"
    """The file is again what it was before the earlier edit, and others changed it in between."""
    REPEATS = "repeats"
    """The same text is replaced by the same other text as then."""
    STACKS = "stacks"
    """A block is put in that already stands right there."""


class Related(Struct, frozen=True):
    """An edit and the earlier one of its lane to which it relates. `earlier` is None for a block that the agent didn't
    put in."""

    relation: Relation
    step: int
    lane: str
    path: str
    earlier: int | None


def related_edits(history: History) -> list[Related]:
    """The edits that take back, repeat or stack earlier ones, in order."""
    equal = history.files.equal
    past: dict[str, dict[str, tuple[int, int]]] = {}
    changes: Counter[str] = Counter()
    made: dict[tuple[str, str | None, str | None], int] = {}
    blocks: dict[tuple[str, str], tuple[str, str | None, str | None]] = {}
    standing: defaultdict[str, Standing] = defaultdict(Standing)
    found: list[Related] = []
    for index, (action, step) in enumerate(zip(history.actions, history.taken, strict=True)):
        changed = step.by_file()
        reversed_by_text = _reversed(action, index, step, changed, standing)
        for change in _net(step):
            before, after = equal.of(change.path, change.before), equal.of(change.path, change.after)
            if before == after:
                continue
            earlier = past.setdefault(change.path, {})
            found_again = earlier.get(after)
            if change.path in reversed_by_text:
                undone = reversed_by_text[change.path]
                found.append(Related(Relation.UNDOES, action.step, action.lane, change.path, undone))
            elif found_again is not None:
                number, by = found_again
                relation = Relation.UNDOES if number == changes[change.path] else Relation.RESTORES
                found.append(Related(relation, action.step, action.lane, change.path, by))
            changes[change.path] += 1
            earlier[before] = changes[change.path], index
        for path, edit in _edits(action, step.directory):
            if path not in changed:
                continue
            block, was, became = _put_in(edit), changed[path].before, changed[path].after
            if block and _count(was, block) < _count(became, block) and _twice(became, block):
                first = blocks.get((path, block))
                by_step = made[first] if first is not None else None
                found.append(Related(Relation.STACKS, action.step, action.lane, path, by_step))
            key = (path, edit.before, edit.after)
            if edit.before is not None and key in made:
                here = (action.lane, action.step, path, Relation.UNDOES)
                if here not in ((last.lane, last.step, last.path, last.relation) for last in found[-3:]):
                    found.append(Related(Relation.REPEATS, action.step, action.lane, path, made[key]))
            made[key] = index
            if block:
                blocks.setdefault((path, block), key)
    authors = [history.actions[entry.earlier] if entry.earlier is not None else None for entry in found]
    return [
        replace(entry, earlier=by.step if by is not None else None)
        for entry, by in zip(found, authors, strict=True)
        if by is None or by.lane == entry.lane
    ]


def _net(step: Step) -> list[Change]:
    """What a step did to each file, from what it found to what it left: what was in between was never there for
    another step."""
    changes: dict[str, Change] = {}
    for change in step.changes:
        first = changes.get(change.path, change)
        changes[change.path] = Change(change.path, first.before, change.after)
    return list(changes.values())


def _reversed(
    action: Action, index: int, step: Step, changed: Mapping[str, object], standing: Mapping[str, Standing]
) -> dict[str, int]:
    """By file the index of the earlier step whose edits this one reverses."""
    texts: dict[str, list[tuple[str, str]]] = {}
    for path, edit in _edits(action, step.directory):
        if path in changed and edit.before:
            texts.setdefault(path, []).append((edit.before, edit.after or ""))
    found = ((path, standing[path].take(index, edits)) for path, edits in texts.items())
    return {path: undone for path, undone in found if undone is not None}


def _edits(action: Action, directory: str) -> Iterator[tuple[str, Edit]]:
    for edit in action.operation.edits:
        if edit.path:
            yield normal(edit.path, directory), edit


def _put_in(edit: Edit) -> str:
    """The lines that an edit adds to what it leaves as it was."""
    before, after = edit.before, edit.after
    if not before or not after:
        return ""
    old, new = before.split("\n"), after.split("\n")
    head, tail = equal_ends(old, new)
    if head + tail < len(old):
        return ""
    block = "\n".join(new[head : len(new) - tail])
    return block if len(block.strip()) >= _LEAST_BLOCK else ""


def _twice(document: Document, block: str) -> bool:
    """Whether a block stands twice, close together, in what is known of a file."""
    for text in known_texts(document) if document.exists else ():
        first = text.find(block)
        second = text.find(block, first + len(block)) if first >= 0 else -1
        if second >= 0 and text.count("\n", first + len(block), second) <= _NEAR:
            return True
    return False


def _count(document: Document, block: str) -> int:
    return sum(text.count(block) for text in known_texts(document))
