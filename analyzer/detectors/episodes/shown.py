"""Values that the task, the user or a result has named: who looks them up one by one isn't guessing and repeats
nothing, however many of them turn out not to be there.

Whether a run that fails as before shows more than before: what somebody made it print on the way tells something new,
though its end is the same.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from urllib.parse import urlsplit

from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.expressions import compiled
from analyzer.text.late import late
from analyzer.text.masks import MaskTable
from analyzer.text.plain import plain

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
    return f"{differ[0]}" if len(differ) == 1 and [key for key, _ in one] == [key for key, _ in other] else ""


_MOST_LINES = 2_000
"""Lines from the beginning of a result that are looked at."""
_NUMBER = compiled(r"\d+")
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
    if not all(line in left for line in first):
        return False
    return not set(second) <= set(first)


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
