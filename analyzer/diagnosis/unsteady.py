"""Tests that failed on the delivered state although others, or the same at another time, passed on it."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late
from analyzer.timeline.piped import bare_command
from analyzer.timeline.proof import Proof, same_before

_PASSED = late(r"\b(?P<count>\d{1,7}) (?:tests? |specs? |examples? )?pass(?:ed|ing)\b", 2)


def failed_on_delivered(end: End) -> tuple[Action, bool] | None:
    """The last test run that failed on the delivered state and not for what was there before, and whether the same
    check, or one of at least as many tests, passed after it with no edit in between; None where none failed."""
    red = next((check for check in reversed(end.on_delivered) if _is_red(end, check)), None)
    if red is None:
        return None
    later = [check for check in end.on_delivered if check.step > red.step and end.proof(check) > Proof.RAN]
    own, count = bare_command(red), _counted(red)
    again = any((own and bare_command(check) == own) or (0 < count <= _passes(check)) for check in later)
    return red, again


def _is_red(end: End, check: Action) -> bool:
    failure = check.failure
    if failure is None or failure.expected or failure.kind is not FailureKind.TEST:
        return False
    tests = check.kind is Kind.TEST or check.operation.runner is not None
    return tests and same_before(end.actions, check, end.delivery) is None


def _counted(check: Action) -> int:
    counts = check.failure.counts if check.failure is not None else {}
    return counts.get("failed", 0) + counts.get("errors", 0) + counts.get("passed", 0)


def _passes(check: Action) -> int:
    found = [int(match["count"]) for match in _PASSED.finditer((check.result or "")[-8_000:])]
    return found[-1] if found else 0
