"""Tests that failed on the delivered state although others, or the same at another time, passed on it."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.words import FailureKind, Kind
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.timeline.calls.piped import bare_command
from analyzer.timeline.verification.proof import Proof, same_before

_PASSED = late(r"\b(?P<count>\d{1,7}) (?:tests? |specs? |examples? )?pass(?:ed|ing)\b", 2)


@dataclass(frozen=True, slots=True)
class Red:
    """A test run that failed on the delivered state, and the first run of the same check, or of at least as many tests,
    that passed after it with no edit in between; None where none did."""

    failed: Action
    passed: Action | None

    @property
    def steps(self) -> set[int]:
        """Both steps."""
        return {self.failed.step, *([self.passed.step] if self.passed is not None else [])}

    @property
    def words(self) -> str:
        """What happened, as the end of a sentence that says that something passed."""
        headline = clip(self.failed.failure.headline if self.failed.failure is not None else "", 120)
        if self.passed is None:
            return f", but tests failed on the same state (step {self.failed.step}: {headline})"
        failed, passed = self.failed.step, self.passed.step
        return (
            f"; on that state step {failed} had failed ({headline}) and step {passed} passed, with no edit in between"
        )


def failed_on_delivered(end: End) -> Red | None:
    """The last test run that failed on the delivered state, and not for what was there before; None where none did."""
    red = next((check for check in reversed(end.on_delivered) if _is_red(end, check)), None)
    if red is None:
        return None
    later = [check for check in end.on_delivered if check.step > red.step and end.proof(check) > Proof.RAN]
    own, count = bare_command(red), _counted(red)
    again = (check for check in later if (own and bare_command(check) == own) or 0 < count <= _passes(check))
    return Red(red, next(again, None))


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
