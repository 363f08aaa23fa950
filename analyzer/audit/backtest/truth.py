"""Which runs are stuck and which are good: by what our detectors and the log say, or by labels from outside."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from analyzer.audit.backtest.labels import Labels
from analyzer.audit.backtest.runs import Run, Stretch
from analyzer.model.words import OutcomeStatus


class Verdict(StrEnum):
    """What is known about a run."""

    STUCK = "stuck"
    GOOD = "good"
    UNCLEAR = "unclear"


class Truth(NamedTuple):
    """The verdict, and where a stuck run was stuck."""

    verdict: Verdict
    stretches: tuple[Stretch, ...] = ()


class AlarmEffect(StrEnum):
    """What a policy's first alarm does to a run."""

    STOPPED = "stopped"
    LATE = "late"
    TOO_SOON = "too soon"
    MISSED = "missed"
    DISTURBED = "disturbed"
    LEFT_ALONE = "left alone"
    UNCLEAR = "unclear"


def truth_of(run: Run, labels: Labels | None) -> Truth:
    """What is known about a run.

    By labels: theirs alone; a run without one is unclear. Else a recorded success makes it good; a loop above `low`
    that it never got out of, or in which the harness or a limit ended it, makes it stuck; without any loop, or with an
    outcome of `succeeded`, it's good.
    """
    if labels is not None:
        return _labelled(run, labels)
    if run.solved:
        return Truth(Verdict.GOOD)
    stuck = tuple(stretch for stretch in run.stretches if stretch.stuck)
    if stuck:
        return Truth(Verdict.STUCK, stuck)
    if not run.stretches or run.outcome == OutcomeStatus.SUCCEEDED:
        return Truth(Verdict.GOOD)
    return Truth(Verdict.UNCLEAR)


def _labelled(run: Run, labels: Labels) -> Truth:
    found = labels.of(run)
    if not found:
        return Truth(Verdict.UNCLEAR)
    if not found[0].stuck:
        return Truth(Verdict.GOOD)
    stretches = []
    for label in found:
        if label.first is None or label.last is None:
            stretches.append(Stretch(1, run.actions, stuck=True))
        elif label.first <= len(run.main):
            stretches.append(
                Stretch(run.main[label.first - 1], run.main[min(label.last, len(run.main)) - 1], stuck=True)
            )
    return Truth(Verdict.STUCK, tuple(sorted(stretches)) or (Stretch(1, run.actions, stuck=True),))


def fate_of(run: Run, truth: Truth, fired: int) -> tuple[AlarmEffect, Stretch | None]:
    """What a policy that fires first after `fired` actions (-1: never) does to the run, and the stuck stretch in which
    it stops it."""
    if truth.verdict is Verdict.GOOD:
        return (AlarmEffect.DISTURBED if fired >= 0 else AlarmEffect.LEFT_ALONE), None
    if truth.verdict is Verdict.UNCLEAR:
        return (AlarmEffect.UNCLEAR if fired >= 0 else AlarmEffect.LEFT_ALONE), None
    if fired < 0:
        return AlarmEffect.MISSED, None
    inside = [stretch for stretch in truth.stretches if stretch.first <= fired <= stretch.last]
    if inside:
        stretch = max(inside, key=lambda entry: entry.last)
        return (AlarmEffect.STOPPED, stretch) if fired < stretch.last else (AlarmEffect.LATE, None)
    if fired > max(stretch.last for stretch in truth.stretches):
        return AlarmEffect.LATE, None
    harmless = any(stretch.first <= fired <= stretch.last for stretch in run.stretches)
    return (AlarmEffect.MISSED if harmless else AlarmEffect.TOO_SOON), None
