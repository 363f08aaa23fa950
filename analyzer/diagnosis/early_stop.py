"""What early detection would have saved."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.policies.replay import replay
from analyzer.model.diagnosis import EarlyStop
from analyzer.model.words import MAIN_LANE, Category
from analyzer.timeline.spending import Spending


def early_stop_of(case: Case) -> EarlyStop:
    """The step at which the main loop was detectable, and what came after it.

    Saved are the actions after that step inside the loop. The share is taken of the actions that came after the
    repeated result had first shown, since nothing before that could have been saved by anybody.
    """
    loop = case.main if case.main is not None and case.main.category is Category.LOOP else case.loop
    lane = loop.lane if loop is not None else MAIN_LANE
    policies = replay(case.timeline.lane(lane), [finding for finding in case.findings if finding.lane == lane], loop)
    if loop is None or loop.first_step < 1:
        return EarlyStop(
            detectable_at=None, actions_saved=None, fraction_saved=None, seconds_saved=None, policies=policies
        )
    actions = case.timeline.lane(loop.lane)
    saved = loop.last_step - loop.detectable_at
    first_shown = loop.steps[0] if loop.period is None or loop.group is not None else loop.first_step + loop.period - 1
    repeats = loop.last_step - first_shown
    noticed, ended = actions[loop.detectable_at - 1], actions[loop.last_step - 1]
    seconds = None
    if noticed.started_at is not None and ended.started_at is not None:
        seconds = round(ended.started_at + (ended.duration or 0.0) - noticed.started_at - (noticed.duration or 0.0), 1)
    spending = Spending(actions)
    return EarlyStop(
        detectable_at=loop.detectable_at,
        actions_saved=saved,
        fraction_saved=round(saved / repeats, 2) if repeats else 0.0,
        seconds_saved=max(0.0, seconds) if seconds is not None else None,
        tokens_saved=spending.tokens(loop.detectable_at + 1, loop.last_step),
        usd_saved=spending.usd(loop.detectable_at + 1, loop.last_step),
        policies=policies,
    )
