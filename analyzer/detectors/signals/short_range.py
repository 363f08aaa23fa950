"""Refused edits whose range of lines stops short of what the new text replaces, so that a line would be there twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from analyzer.model.action import Action, Edit
from analyzer.text.markdown import code
from analyzer.text.numbered import numbered
from analyzer.text.plain import plain

_MOST = 60_000
"""Characters of an answer that are looked at."""


@dataclass(frozen=True, slots=True)
class ShortRange:
    """A refused edit of the lines `first` to `last` (1-based, inclusive) whose new text has `text` at one end, as the
    line of the file next to that end has it; `at_end` says which end."""

    path: str
    first: int
    last: int
    text: str
    at_end: bool

    @property
    def left(self) -> int:
        """The line of the file that the range leaves where it is."""
        return self.last + 1 if self.at_end else self.first - 1

    @property
    def reason(self) -> str:
        """What the answer shows, in one sentence without a full stop."""
        end, ends = ("last", "ends one line too early") if self.at_end else ("first", "begins one line too late")
        return (
            f"The {end} line of the new text, {code(self.text, 80)}, is line {self.left} of the file already: "
            f"the range {self.first}-{self.last} {ends}"
        )


def short_range(action: Action) -> ShortRange | None:
    """The line that would be there twice, where the answer to an edit of a range of lines shows the file as it would
    look."""
    for edit in action.operation.edits:
        if edit.lines is not None and edit.after and edit.after.strip():
            found = _at_an_end(edit, edit.lines, numbered(plain((action.result or "")[:_MOST]).splitlines()))
            if found is not None:
                return found
    return None


def _unbalanced(line: str) -> bool:
    """Whether a line opens or closes a bracket alone: twice in a row it can't be right, unlike a whole statement."""
    return any(line.count(opens) != line.count(closes) for opens, closes in ("()", "[]", "{}"))


def _at_an_end(edit: Edit, span: tuple[int, int], rows: Sequence[tuple[int, str]]) -> ShortRange | None:
    first, last = span
    new = [line.strip() for line in (edit.after or "").rstrip("\n").split("\n")]
    end = first + len(new) - 1
    for (number, before), (following, after) in pairwise(rows):
        if following != number + 1 or before.rstrip() != after.rstrip() or not _unbalanced(before):
            continue
        if number == end and new[-1] == before.strip():
            return ShortRange(edit.path, first, last, new[-1], at_end=True)
        if following == first and new[0] == after.strip():
            return ShortRange(edit.path, first, last, new[0], at_end=False)
    return None
