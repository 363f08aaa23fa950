"""Which earlier step an action repeats, and in what way: the same call on the same state of what it touches, the same
failure, or nearly the same call that came to nothing again.

A read or an edit touches its file; a command may touch all that was changed; what any other tool touches isn't known,
so that its calls are compared by themselves. What lies between the two steps doesn't matter, as long as nothing in
between could have changed what is touched. A command is the same where it runs in the same directory, and a file is the
same whether it's named by its whole path or from the directory at hand.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from analyzer.commands.effects import is_shell
from analyzer.commands.statements import entered
from analyzer.commands.table import PYTHONS, row_of
from analyzer.failures.roles import last_part, same_file
from analyzer.model.action import Action
from analyzer.model.words import OF_CODE, Kind, Repeat
from analyzer.text.late import late
from analyzer.text.names import digest
from analyzer.text.similarity import alike, same_words
from analyzer.timeline.keys import unrecorded
from analyzer.workspace.paths import normal

_MOST_STEPS = 100_000
"""Calls and failures of a lane that are remembered."""
_NEAR_STEPS = 3
"""How many steps back nearly the same call is looked for."""
_LONGEST = 4_000
"""Characters of a call up to which it's compared with nearly equal ones."""
_ALIKE = 80.0
"""Similarity, in percent, of two calls of which one is the other with something put right."""
_SHORTEST = 12
"""Characters of a question below which nearly equal means nothing."""
_SAME_WORDS = 0.75
"""Share of the words that two questions which ask the same have in common."""
_QUESTIONS = frozenset({Kind.READ, Kind.SEARCH, Kind.OTHER})
_REMINDER = late(r"<(?P<tag>system[-_]reminder)>.*?</(?P=tag)>", re.DOTALL)
_SAME_AS_BEFORE = late(
    r"\b(?:unchanged|not (?:been )?(?:changed|modified)|already (?:been )?(?:read|shown))\b", re.IGNORECASE
)
"""How a short answer says that a file is as it was when it was shown."""
_NOTICE, _LONGEST_SHOWN = 300, 200_000
_FAILED = ""
"""What is kept of a read or a search that failed in place of what it showed."""
_Key = tuple[str, str]
_Place = TypeVar("_Place", bound=Hashable)
_WORD = late(r"[^\s'\"\\;&|()]+")
_JOINED_ERRORS = late(r"\s2>(?:&1|/dev/null)(?!\S)")
_IDLE = frozenset({"-u", "-m", "-c", "-lc"})
"""Options that don't change what a line prints, as long as it prints the same."""


class RepeatFinder:
    """Says of the actions of one lane, in order, which earlier one each repeats."""

    def __init__(self) -> None:
        self._calls: dict[tuple[_Key, int], int] = {}
        self._shown: dict[tuple[_Key, int], str] = {}
        """What each read and search showed."""
        self._made: dict[_Key, int] = {}
        self._written: dict[tuple[str, str, int], int] = {}
        """The commands by their words, what they printed, and the state."""
        self._failures: dict[tuple[str, str, Kind], int] = {}
        self._versions: dict[str, dict[str, int]] = {}
        """The step that last changed each file, by the last part of its name."""
        self._changed = 0
        """The step that last changed any file."""
        self._latest: deque[Action] = deque(maxlen=_NEAR_STEPS)

    def repeats(self, action: Action, directory: str, changed: Sequence[str] = ()) -> tuple[int, Repeat] | None:
        """The latest earlier step that the next action, which runs in `directory`, repeats and how, or None. `changed`
        are the files that the action changes besides those that its call says it edits."""
        if action.harness or not action.keys.call or unrecorded(action):
            return None
        key = _key(action, directory)
        another = self._shows_another(action, key)
        if another and action.kind is Kind.READ and action.operation.path:
            self._note_change(action, [*changed, action.operation.path])
            self._shows_another(action, key)
        same = self._again(self._calls, (key, self._state(action)), action.step, Repeat.SAME_CALL)
        earlier = [
            *(() if another else same),
            *self._made_again(action, key),
            *self._same_failure(action),
            *self._nearly_the_same(action),
            *self._written_otherwise(action, key),
        ]
        self._note_change(action, changed)
        self._latest.append(action)
        return max(earlier, key=lambda found: found[0], default=None)

    def _again(self, seen: dict[_Place, int], place: _Place, step: int, way: Repeat) -> Iterable[tuple[int, Repeat]]:
        """The step at which something was last seen, which is seen again now, with the way in which that repeats it."""
        known = seen.get(place)
        if known is not None or len(seen) < _MOST_STEPS:
            seen[place] = step
        return () if known is None else ((known, way),)

    def _shows_another(self, action: Action, key: _Key) -> bool:
        """Whether a read or a search shows something else than it did before, or shows something where it failed:
        whatever changed it, the state isn't the same. A read that only refers to the earlier one shows nothing else."""
        if action.kind not in (Kind.READ, Kind.SEARCH):
            return False
        if action.failure is not None:
            self._shown.setdefault((key, self._state(action)), _FAILED)
            return False
        now = " ".join(_REMINDER.sub("", (action.result or "")[:_LONGEST_SHOWN]).split())
        if not now or (len(now) < _NOTICE and _SAME_AS_BEFORE.search(now) is not None):
            return False
        state = key, self._state(action)
        before = self._shown.get(state)
        if before is not None or len(self._shown) < _MOST_STEPS:
            self._shown[state] = digest(now)
        return before is not None and before != digest(now)

    def _made_again(self, action: Action, key: _Key) -> Iterable[tuple[int, Repeat]]:
        """A file that was written, taken away and is written again with the same content."""
        if action.failure is not None or not any(edit.created for edit in action.operation.edits):
            return ()
        return self._again(self._made, key, action.step, Repeat.MADE_AGAIN)

    def _same_failure(self, action: Action) -> Iterable[tuple[int, Repeat]]:
        failure = action.failure
        if failure is None or failure.group is None or _changed_code(action):
            return ()
        key = failure.group, action.tool, action.kind
        return self._again(self._failures, key, action.step, Repeat.SAME_FAILURE)

    def _nearly_the_same(self, action: Action) -> Iterable[tuple[int, Repeat]]:
        """A call that differs little from one of the last ones and failed in the same words, whether or not the
        failures are one, or a question that was answered the same."""
        if not action.result or len(action.keys.call) > _LONGEST or _changed_code(action):
            return ()
        for before in reversed(self._latest):
            if (
                before.tool != action.tool
                or before.kind is not action.kind
                or before.keys.outcome != action.keys.outcome
            ):
                continue
            if action.failure is not None and alike(before.keys.call, action.keys.call, _ALIKE):
                return ((before.step, Repeat.CORRECTED),)
            if _same_question(before, action):
                return ((before.step, Repeat.OTHER_WORDS),)
        return ()

    def _written_otherwise(self, action: Action, key: _Key) -> Iterable[tuple[int, Repeat]]:
        """A command of the same words, quoted or joined otherwise, that printed to the letter the same."""
        if action.operation.command is None or len((action.result or "").strip()) < _SHORTEST:
            return ()
        # Lines with the same words, paths as seen from the directory, that print to the letter the same do the same.
        line, directory = key
        words = _WORD.findall(_JOINED_ERRORS.sub("", line.removeprefix("$ ")))
        said = [word for word in words if word not in _IDLE and not _only_runs(word)]
        seen = [word if word.startswith("-") or not directory else normal(word, directory) for word in said]
        written = " ".join(seen), action.keys.outcome, self._changed
        return self._again(self._written, written, action.step, Repeat.OTHER_WORDS)

    def _state(self, action: Action) -> int:
        """The step that last changed what the action touches, 0 where nothing did."""
        operation = action.operation
        if operation.command is not None or action.kind is Kind.TEST:
            return self._changed
        if operation.path:
            return max(self._version(operation.path), *(self._version(edit.path) for edit in operation.edits), 0)
        return self._changed if action.kind in (Kind.READ, Kind.SEARCH) else 0

    def _version(self, path: str) -> int:
        known = self._versions.get(last_part(path), {})
        return max((step for name, step in known.items() if same_file(name, path)), default=0)

    def _note_change(self, action: Action, changed: Sequence[str]) -> None:
        if action.failure is not None:
            paths: list[str] = []
        else:
            paths = [*(edit.path for edit in action.operation.edits), *action.operation.writes]
        for path in filter(None, (*paths, *changed)):
            self._versions.setdefault(last_part(path), {})[path] = action.step
            self._changed = action.step


def _key(action: Action, directory: str) -> _Key:
    """The call and the place at which it's made."""
    operation, text = action.operation, action.keys.call
    if operation.command is not None:
        place, rest = entered(text.removeprefix("$ "))
        return (f"$ {rest}", normal(place, directory)) if place else (text, directory)
    if operation.path:
        return text.replace(operation.path, ""), normal(operation.path, directory)
    return text, ""


def _changed_code(action: Action) -> bool:
    """Whether an action is an edit that was made, or may be one, and what ran after it failed."""
    changes = action.kind is Kind.EDIT or (action.kind is Kind.OTHER and action.operation.command is None)
    return changes and action.failure is not None and action.failure.kind in OF_CODE


def _same_question(one: Action, other: Action) -> bool:
    """Whether two calls that name no file and no command ask for the same in other words."""
    if other.operation.path or other.operation.command is not None or other.kind not in _QUESTIONS:
        return False
    asked, again = one.operation.target, other.operation.target
    return min(len(asked), len(again)) >= _SHORTEST and same_words(one.keys.call, other.keys.call, _SAME_WORDS)


@lru_cache(maxsize=4_096)
def _only_runs(word: str) -> bool:
    """Whether a word only names what runs the rest of a line."""
    row = row_of(word)
    return is_shell(word) or PYTHONS.match(word) is not None or bool(row and row.wraps and not row.wraps.verbs)
