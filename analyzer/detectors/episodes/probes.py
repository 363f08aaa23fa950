"""Errors that the agent provokes with an input of its own and accepts: the output of an experiment, and no failure.

A row of probes is known by its form: the input is a file that the agent made, or code in the call itself; the words
after the first error accept it ("It works", "as expected"); the call varies, or its error was accepted once more; and
no file but the agent's own is edited in between. Nothing later than the words before a call is used.
"""

from __future__ import annotations

import re
from collections import deque

from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late
from analyzer.text.sentences import sentences

_MOST_FILES = 200
_MOST_CALLS = 50
_SAID = 240
_FIRST = 2
"""Sentences that speak of the result before them."""
_ACCEPTS = late(
    r"\b(?:it|this|that|everything) (?:(?:still|now|all|also|indeed|seems to|appears to) )?works?\b(?! (?:for|with)out)"
    r"|\bworks? (?:correctly|fine|well|as (?:expected|intended))\b"
    r"|\b(?:fail(?:s|ed)?|reject(?:s|ed)|refuse[sd]|flag(?:s|ged)|raise[sd]|report(?:s|ed)|behave[sd]) "
    r"(?:\w+ )?(?:correctly|as (?:expected|intended|it should))\b"
    r"|\b(?:correctly|rightly|properly) (?:reject|flag|refuse|report|raise|fail|detect)\w*"
    r"|^\W{0,3}as (?:expected|intended)\b|\bdid(?:n['’]t| not) crash\b"
    r"|\bthat(?:['’]s| is) (?:exactly )?(?:right|correct|what (?:I|we) (?:want|expect)\w*)\b",
    re.IGNORECASE,
)
_DOUBTS = late(
    r"\b(?:still (?:fail|broken|wrong|error|the same)\w*|does(?:n['’]t| not)|did(?:n['’]t| not) (?!crash)\w+|isn['’]t"
    r"|not|unfortunately|hmm|oops|wrong|mistake|same error|should(?:n['’]t| not) (?:have )?fail)\b",
    re.IGNORECASE,
)
_INLINE = frozenset({"-c", "-e", "--eval"})
_OF_CALL = frozenset(
    {
        FailureKind.INVALID_CALL,
        FailureKind.COMMAND_NOT_FOUND,
        FailureKind.MISSING_DEPENDENCY,
        FailureKind.EDIT_REFUSED,
        FailureKind.DENIED,
        FailureKind.CASCADE,
        FailureKind.LIMIT,
        FailureKind.TIMEOUT,
        FailureKind.NETWORK,
    }
)


class Probes:
    """Follows one lane; see the module's text."""

    def __init__(self) -> None:
        self._made: deque[str] = deque(maxlen=_MOST_FILES)
        self._before: Action | None = None
        self._rows: dict[str, set[str]] = {}
        """The calls that were made in each row of probes, by the failure that they show."""
        self._fresh: set[str] = set()
        """The failures whose last occurrence was accepted."""

    def is_probe(self, action: Action) -> bool:
        """Take the next action, and say whether what it shows is one more error of a row of probes."""
        self._listen(action)
        failure, call = action.failure, action.keys.call_masked
        group = failure.group if failure is not None else None
        probed = False
        if group in self._rows:
            row = self._rows[group]
            probed = group in self._fresh or call not in row
            if len(row) < _MOST_CALLS:
                row.add(call)
            self._fresh.discard(group)
        self._learn(action)
        self._before = action
        return probed

    def _listen(self, action: Action) -> None:
        """Whether the words before an action accept what the one before it showed."""
        before, self._before = self._before, None
        failure = before.failure if before is not None else None
        if before is None or failure is None or failure.group is None or failure.kind in _OF_CALL:
            return
        if self._is_own(before) and accepts(action.said):
            self._rows.setdefault(failure.group, {before.keys.call_masked})
            self._fresh.add(failure.group)

    def _learn(self, action: Action) -> None:
        """Which files the agent made; a change of any other file ends all rows."""
        for edit in action.operation.edits:
            if edit.created and edit.path and not self._is_made(edit.path):
                self._made.append(edit.path)
        self._made.extend(path for path in action.operation.writes if not self._is_made(path))
        others = any(not self._is_made(edit.path) for edit in action.accepted_edits)
        if others or (action.kind is Kind.EDIT and action.failure is None and not action.operation.edits):
            self._rows.clear()
            self._fresh.clear()

    def _is_own(self, action: Action) -> bool:
        """Whether what an action was given is the agent's own: its code or its file, and nothing else raised."""
        failure = action.failure
        if failure is None or action.kind is not Kind.RUN or action.operation.command is None:
            return False
        if any(not frame.file.startswith("<") and not self._is_made(frame.file) for frame in failure.frames[-1:]):
            return False
        words = [word for entry in action.operation.commands for word in entry.args]
        return bool(_INLINE & set(words)) or any(self._is_made(word) for word in words if "." in word)

    def _is_made(self, path: str) -> bool:
        return any(known == path or same_file(known, path) for known in self._made)


def accepts(said: str) -> bool:
    """Whether the first words after a result say that it's as it should be."""
    first = [sentence.text for sentence in sentences(said[:_SAID])[:_FIRST]]
    return any(_ACCEPTS.search(part) for part in first) and not any(_DOUBTS.search(part) for part in first)
