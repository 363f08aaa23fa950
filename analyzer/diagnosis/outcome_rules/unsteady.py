"""Tests that failed on the delivered state although others, or the same at another time, passed on it."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.words import FailureKind, Kind
from analyzer.text.clip import clip
from analyzer.timeline.calls.piped import bare_command
from analyzer.timeline.verification.proof import Proof, same_before


@dataclass(frozen=True, slots=True)
class Red:
    """A test run that failed on the delivered state, and the first run of the same check that passed after it with no
    edit in between; None where none did."""

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
    own = bare_command(red)
    return Red(red, next((check for check in later if own and bare_command(check) == own), None))


def _is_red(end: End, check: Action) -> bool:
    failure = check.failure
    if failure is None or failure.expected or failure.kind is not FailureKind.TEST:
        return False
    tests = check.kind is Kind.TEST or check.operation.runner is not None
    return tests and same_before(end.actions, check, end.delivery) is None
