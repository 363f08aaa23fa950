"""Values that the task, the user or a result has named: who looks them up one by one isn't guessing and repeats
nothing, however many of them turn out not to be there.

Whether a run that fails as before shows more than before: what somebody made it print on the way tells something new,
though its end is the same.

Errors that the agent provokes with an input of its own and accepts: the output of an experiment, and no failure.

A row of probes is known by its form: the input is a file that the agent made, or code in the call itself; the words
after the first error accept it ("It works", "as expected"); the call varies, or its error was accepted once more; and
no file but the agent's own is edited in between. Nothing later than the words before a call is used."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Sequence
from urllib.parse import urlsplit

from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.words import NOT_CARRIED_OUT, FailureKind, Kind
from analyzer.text.late import late
from analyzer.text.masks import MaskTable
from analyzer.text.plain import plain
from analyzer.text.sentences import sentences

_SHORTEST = 4
"""Characters of a value below which it can't be said whether it was shown."""
_MOST_RESULTS = 200
_MOST_KEPT = 20_000
"""Results that are remembered, and the characters of each."""
_WORD = late(r"\"[^\"]*\"|'[^']*'|\S+")
_NUMBERED = late(r"(?P<stem>.*\D)\d{1,6}")

Slots = tuple[tuple[str, str], ...]


class ShownValues:
    """What one lane has been shown so far."""

    def __init__(self, task: str) -> None:
        self._requests: deque[str] = deque([task[:_MOST_KEPT].casefold()], maxlen=_MOST_RESULTS)
        self._texts: deque[str] = deque(maxlen=_MOST_RESULTS)

    def request(self, text: str) -> None:
        """Remember what the user says."""
        self._requests.append(text[:_MOST_KEPT].casefold())

    def add(self, text: str) -> None:
        """Remember what a result shows."""
        self._texts.append(text[:_MOST_KEPT].casefold())

    def has(self, value: str) -> bool:
        """Whether a value was shown. Of an address its path is enough, of a number in a row that the task names what
        stands before the number."""
        bare = value.strip("\"'").casefold()
        if len(bare) < _SHORTEST:
            return False
        if self._named(bare):
            return True
        numbered = _NUMBERED.fullmatch(bare)
        stem = numbered["stem"] if numbered is not None else ""
        if len(stem) >= _SHORTEST and any(stem in text for text in self._requests):
            return True
        if "://" not in bare:
            return False
        path = urlsplit(bare).path.rstrip("/")
        return len(path) >= _SHORTEST and self._named(path)

    def invented(self, value: str, before: str = "") -> bool:
        """Whether nothing has shown a value that is long enough to say so, or, of several words, those that weren't in
        the value before."""
        bare = value.strip("\"'").casefold()
        if len(bare) < _SHORTEST or self.has(value):
            return False
        new = [word for word in bare.split() if word not in before.casefold()] if " " in bare else []
        return not new or not all(len(word) >= _SHORTEST and self._named(word) for word in new)

    def looked_up(self, before: Action, now: Action) -> bool:
        """Whether a call differs from the one before in one value, which had been shown."""
        if before.tool != now.tool or before.keys.call_masked == now.keys.call_masked:
            return False
        slots = slots_of(now)
        name = differing(slots_of(before), slots)
        return bool(name) and self.has(dict(slots)[name])

    def _named(self, bare: str) -> bool:
        return any(bare in text for text in (*self._requests, *self._texts))


def slots_of(unit: Action) -> Slots:
    """The words of a shell line or the arguments of a call, by their places."""
    if unit.operation.command is not None:
        words = _WORD.findall(unit.operation.command)
        return tuple((str(number), word) for number, word in enumerate(words))
    if isinstance(unit.arguments, str):
        return (("", unit.arguments),)
    return tuple((key, json.dumps(value, default=str)) for key, value in sorted(unit.arguments.items()))


def differing(one: Sequence[tuple[str, str]], other: Sequence[tuple[str, str]]) -> str:
    """The only place at which two calls differ; empty where there's none, or several, or other places."""
    if len(one) != len(other):
        return ""
    differ = [first[0] for first, second in zip(one, other, strict=True) if first != second]
    return differ[0] if len(differ) == 1 and [key for key, _ in one] == [key for key, _ in other] else ""


_MOST_LINES = 2_000
"""Lines from the beginning of a result that are looked at."""
_NUMBER = late(r"\d+")
_TRACE = "Traceback (most recent call last)"
_OF_SOURCE = frozenset({FailureKind.COMPILE, FailureKind.LINT})
"""Failures whose reports quote the source, which edits change without anything new being learned."""


def shows_more(before: Action, now: Action, masks: MaskTable) -> bool:
    """Whether a run prints all that the one before printed ahead of its failure, in the same order, and lines that are
    unlike any of those: lines that differ in their numbers only are alike. Reports of test runners, compilers and
    linters have a form of their own and tell nothing here."""
    one, other = before.failure, now.failure
    if one is None or other is None or not (_is_run(before, one) and _is_run(now, other)):
        return False
    first, second = _ahead(before, one, masks), _ahead(now, other, masks)
    if len(second) <= len(first):
        return False
    left = iter(second)
    return all(line in left for line in first) and not set(second) <= set(first)


def _is_run(action: Action, failure: Failure) -> bool:
    reported = action.kind is Kind.TEST or failure.runner is not None or bool(failure.failing_tests)
    return action.kind is Kind.RUN and not reported and failure.kind not in _OF_SOURCE


def _ahead(action: Action, failure: Failure, masks: MaskTable) -> list[str]:
    """The lines of a result ahead of its stack trace, or all where it has none, without what varies by itself."""
    places = tuple({frame.file for frame in failure.frames})
    found = []
    for line in plain(action.result or "").splitlines()[:_MOST_LINES]:
        if failure.frames and (line.startswith(_TRACE) or any(place in line for place in places)):
            break
        if stripped := " ".join(line.split()):
            found.append(_NUMBER.sub("#", masks.mask(stripped)))
    return found


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
_OF_CALL = NOT_CARRIED_OUT | {
    FailureKind.INVALID_CALL,
    FailureKind.COMMAND_NOT_FOUND,
    FailureKind.MISSING_DEPENDENCY,
    FailureKind.EDIT_REFUSED,
    FailureKind.TIMEOUT,
    FailureKind.NETWORK,
}


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
