"""Whether a run that fails as before shows more than before: what somebody made it print on the way tells something
new, though its end is the same."""

from __future__ import annotations

from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.expressions import compiled
from analyzer.text.masks import MaskTable
from analyzer.text.plain import plain

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
