"""What early detection would have saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from analyzer.detectors.engine.stories import same_cause
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.policies.replay import replay
from analyzer.model.action import Action
from analyzer.model.diagnosis import EarlyStop
from analyzer.model.finding import Finding
from analyzer.model.words import MAIN_LANE, Category
from analyzer.timeline.spending import Spending

Number = TypeVar("Number", int, float)


def early_stop_of(case: Case) -> EarlyStop:
    """The step at which the main loop was detectable, and what came after it.

    A loop that goes round in several stretches with one cause was detectable in the first of them. Saved are the
    actions after that step inside the loop and its other stretches. The share is taken of the actions that came after
    the repeated result had first shown, since nothing before that could have been saved by anybody.
    """
    loop = case.main if case.main is not None and case.main.category is Category.LOOP else case.loop
    lane = loop.lane if loop is not None else MAIN_LANE
    policies = replay(case.timeline.lane(lane), [finding for finding in case.findings if finding.lane == lane], loop)
    if loop is None or loop.first_step < 1:
        return EarlyStop(
            detectable_at=None, actions_saved=None, fraction_saved=None, seconds_saved=None, policies=policies
        )
    actions = case.timeline.lane(loop.lane)
    story = sorted((loop, *same_cause(loop, case.findings)), key=lambda part: part.detectable_at)
    first = story[0]
    starts = [first.detectable_at + 1, *(max(part.first_step, first.detectable_at + 1) for part in story[1:])]
    spans = [(start, part.last_step) for start, part in zip(starts, story, strict=True) if start <= part.last_step]
    saved = sum(last - start + 1 for start, last in spans)
    repeats = first.last_step - _first_shown(first) + sum(part.last_step - part.first_step + 1 for part in story[1:])
    seconds = [_seconds(actions[first.detectable_at - 1], actions[first.last_step - 1])]
    seconds += [_seconds(actions[max(0, part.first_step - 2)], actions[part.last_step - 1]) for part in story[1:]]
    known = [part for part in seconds if part is not None]
    spending = Spending(actions)
    return EarlyStop(
        detectable_at=first.detectable_at,
        actions_saved=saved,
        fraction_saved=round(min(1.0, saved / repeats), 2) if repeats else 0.0,
        seconds_saved=max(0.0, round(sum(known), 1)) if len(known) == len(seconds) else None,
        tokens_saved=_total([spending.tokens(*span) for span in spans]),
        usd_saved=_total([spending.usd(*span) for span in spans]),
        policies=policies,
    )


def _first_shown(loop: Finding) -> int:
    """The step at which the result that comes back was first shown."""
    return loop.steps[0] if loop.period is None or loop.group is not None else loop.first_step + loop.period - 1


def _seconds(noticed: Action, ended: Action) -> float | None:
    if noticed.started_at is None or ended.started_at is None:
        return None
    return ended.started_at + (ended.duration or 0.0) - noticed.started_at - (noticed.duration or 0.0)


def _total(parts: Sequence[Number | None]) -> Number | None:
    """The sum of what is known; None where nothing is."""
    known = [part for part in parts if part is not None]
    return sum(known[1:], known[0]) if known else None
