"""What a commit takes in, by its own result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from analyzer.detectors.signals.commits.arguments import GitCall, git_call
from analyzer.detectors.signals.commits.printed import made
from analyzer.model.action import Action
from analyzer.text.clip import around
from analyzer.text.late import late

_LONGEST = 30_000
_COUNT = late(r"^ ?(?P<count>\d{1,6}) files? changed\b", re.MULTILINE)
_UNDOES = frozenset({"reset", "revert", "rebase", "cherry-pick"})


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as its result counts it: how many files it changed."""

    action: Action
    files: int

    @property
    def counted(self) -> str:
        """What its result says around the number of files."""
        result = self.action.result or ""
        found = _COUNT.search(result)
        return around(result, *(found.span() if found is not None else (len(result), len(result))), 200)


def commit_of(action: Action) -> Commit | None:
    """The commit that an action made of what was staged, if it made one and its result counts the files."""
    call = next((call for call in _calls(action) if call.verb == "commit"), None)
    if call is None or action.failure is not None or "--amend" in call.options or call.names:
        return None
    text = (action.result or "")[-_LONGEST:]
    counted = _COUNT.findall(text)
    return Commit(action, int(counted[-1])) if counted and len(list(made(text))) == 1 else None


def takes_back(action: Action) -> bool:
    """Whether a call takes a commit back, or amends it."""
    return action.failure is None and any(
        call.verb in _UNDOES or (call.verb == "commit" and "--amend" in call.options) for call in _calls(action)
    )


def same_end(one: str, other: str) -> bool:
    """Whether two spellings may name the same file: one ends with the other, part by part."""
    left, right = PurePosixPath(one).parts, PurePosixPath(other).parts
    count = min(len(left), len(right))
    return count > 0 and left[-count:] == right[-count:]


def _calls(action: Action) -> Iterator[GitCall]:
    for command in action.operation.commands:
        call = git_call(command)
        if call is not None:
            yield call
