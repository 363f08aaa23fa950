"""Which step wrote a line, and which took one out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from analyzer.failures.roles import same_file
from analyzer.model.action import Action, Edit
from analyzer.model.struct import Struct, replace
from analyzer.workspace.document import Document
from analyzer.workspace.history import History
from analyzer.workspace.paths import normal
from analyzer.workspace.states import Step, Version


class Authored(Struct, frozen=True):
    """A line that a step wrote into a file; `line` is its number at that time, None where it isn't known. `lane` and
    `index` say which step it is among all of the session."""

    step: int
    lane: str
    index: int
    path: str
    line: int | None
    text: str


def author_of(history: History, path: str, text: str, indexes: Iterable[int]) -> Authored | None:
    """The step that put a line into a file, white space aside: the first of the actions at these indexes, which are
    given from the latest on. None where none of them is known to have done so, or the line was there before."""
    wanted = squeezed(text)
    if not wanted:
        return None
    for index in indexes:
        for version in history.taken[index].versions:
            if not same_file(version.path, path):
                continue
            found = next((entry for entry in added(version) if squeezed(entry[1]) == wanted), None)
            if found is not None:
                entry, only_shown = history.steps[index], version.path in history.taken[index].found
                written = Authored(entry.step, entry.lane, index, version.path, found[0], found[1].strip())
                return written if not only_shown else None
    return None


def changes_between(history: History, first: int, last: int) -> Iterator[tuple[Action, Version]]:
    """The changes made by the actions at the indexes `first` to `last`, the last not included."""
    for index in range(max(first, 0), min(last, len(history.taken))):
        for version in history.taken[index].versions:
            yield history.actions[index], version


def added(version: Version) -> list[tuple[int | None, str]]:
    """The lines that a change put into a file, with their numbers where they're known."""
    old, new = version.before, version.after
    if new.text is not None and (old.text is not None or not old.exists):
        return [(offset + 1, line) for offset, line in _beside(new.text, old.text or "") if line.strip()]
    left = Counter(text.strip() for _, text in _put_in(old))
    return [(number, text) for number, text in _put_in(new) if text.strip() and left.pop(text.strip(), 0) == 0]


def removed(version: Version) -> list[str]:
    """The lines that a change took out of a file, as far as they're known."""
    old, new = version.before, version.after
    if old.text is not None and (new.text is not None or not new.exists):
        return [line for _, line in _beside(old.text, new.text or "") if line.strip()]
    there = {line.strip() for _, line in _put_in(new)}
    before = [line for _, line in _put_in(old)]
    fresh = (entry for entry in new.fragments if entry not in old.fragments)
    taken = [line for entry in fresh for _, line in _beside(entry.before or "", entry.after)]
    return [line for line in (*before, *taken) if (bare := line.strip()) and bare not in there]


def with_texts(edits: Sequence[Edit], step: Step) -> tuple[Edit, ...]:
    """The edits of a step; those whose texts its call doesn't show, as a stream editor's, have the lines that went out
    and came in, as far as the files are known."""
    versions = step.by_file()
    made = []
    for edit in edits:
        known = versions.get(normal(edit.path, step.directory)) if edit.before is None and edit.after is None else None
        texts = _exchanged(known) if known is not None else None
        made.append(replace(edit, before=texts[0], after=texts[1]) if texts is not None else edit)
    return tuple(made)


def _exchanged(version: Version) -> tuple[str, str] | None:
    """The lines that went out and came in, or the words where only these are known; None where neither is."""
    old, new = version.before, version.after
    if old.text is not None and new.text is not None:
        return "\n".join(removed(version)), "\n".join(line for _, line in added(version))
    fresh = [entry for entry in new.fragments if entry not in old.fragments]
    return (fresh[0].before, fresh[0].after) if len(fresh) == 1 and fresh[0].before else None


def _beside(text: str, other: str) -> Iterator[tuple[int, str]]:
    """The lines of a text that another one doesn't have, or not so often, white space at their ends aside, each with
    the number of lines before it."""
    left = Counter(map(str.strip, other.split("\n")))
    for offset, line in enumerate(text.split("\n")):
        bare = line.strip()
        if left.get(bare, 0) > 0:
            left[bare] -= 1
        else:
            yield offset, line


def squeezed(text: str) -> str:
    """A line without white space, to compare it with another spelling of it."""
    return "".join(text.split())


def _put_in(document: Document) -> list[tuple[int | None, str]]:
    """The lines that changes have put into a file whose whole text isn't known, unchanged lines of the same place
    aside."""
    if document.text is not None:
        return list(enumerate(document.text.split("\n"), 1))
    found: list[tuple[int | None, str]] = []
    for fragment in document.fragments:
        first = fragment.line
        found.extend(
            (first + offset if first is not None else None, line)
            for offset, line in _beside(fragment.after, fragment.before or "")
        )
    return found
