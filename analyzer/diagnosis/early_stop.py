"""What early detection would have saved."""

from __future__ import annotations

from analyzer.detectors.engine.aspects import same_cause
from analyzer.diagnosis.avoidable import after_alarm
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.improvements.idea import taken
from analyzer.diagnosis.policies.replay import replay
from analyzer.model.diagnosis import EarlyStop
from analyzer.model.words import MAIN_LANE, Category


def early_stop_of(case: Case) -> EarlyStop:
    """The step at which the main loop was detectable, and what came after it.

    A loop that repeats in several stretches with one cause was detectable in the first of them. Saved are, of the
    actions that were sent after that step inside the loop and its other stretches, those that failed, came back or made
    no difference. The share is taken of the actions that came after
    the repeated result had first shown, since nothing before that could have been saved by anybody.
    """
    loop = case.main if case.main is not None and case.main.category is Category.LOOP else case.loop
    lane = loop.lane if loop is not None else MAIN_LANE
    actions = case.timeline.lane(lane)

    def saves(step: int, last: int) -> int:
        return len(case.avoidable(lane, after_alarm(actions, step), last))

    own = [finding for finding in case.findings if finding.lane == lane]
    policies = replay(actions, own, loop, saves, case.alarms.words)
    if loop is None or loop.first_step < 1:
        return EarlyStop(
            detectable_at=None, actions_saved=None, fraction_saved=None, seconds_saved=None, policies=policies
        )
    story = sorted((loop, *same_cause(loop, case.findings)), key=lambda part: part.detectable_at)
    first = story[0]
    start = after_alarm(actions, first.detectable_at)
    starts = [start, *(max(part.first_step, start) for part in story[1:])]
    saved = sorted(
        {
            step
            for begun, part in zip(starts, story, strict=True)
            for step in case.avoidable(lane, begun, part.last_step)
        }
    )
    by_period = first.period is not None and first.group is None
    shown = first.first_step + (first.period or 0) - 1 if by_period else first.steps[0]
    repeats = first.last_step - shown + sum(part.last_step - part.first_step + 1 for part in story[1:])
    cost = taken(case, lane, saved)
    timed = actions[first.detectable_at - 1].started_at is not None
    return EarlyStop(
        detectable_at=first.detectable_at,
        actions_saved=len(saved),
        fraction_saved=round(min(1.0, len(saved) / repeats), 2) if repeats else 0.0,
        seconds_saved=cost.seconds if cost is not None else 0.0 if timed else None,
        tokens_saved=cost.tokens if cost is not None else None,
        usd_saved=cost.usd if cost is not None else None,
        policies=policies,
    )
