"""An improvement before it has its place among the others, and what it would have saved."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.diagnosis.case import Case
from analyzer.model.diagnosis import Where
from analyzer.model.finding import Cost
from analyzer.model.words import MAIN_LANE
from analyzer.text.amounts import duration, number
from analyzer.text.english import plural
from analyzer.timeline.spending import Spending


@dataclass(frozen=True, slots=True)
class Saved:
    """The steps of a lane that would not have been needed, from `first` to `last`; none where `last` is less. `sure` is
    whether they would not have been made, rather than could have been avoided."""

    first: int
    last: int
    lane: str = MAIN_LANE
    sure: bool = False

    def cost(self, case: Case) -> Cost | None:
        """What these steps took; None where there are none."""
        actions = case.timeline.lane(self.lane)
        if not 1 <= self.first <= self.last <= len(actions):
            return None
        spending = Spending(actions)
        before, ended = actions[max(0, self.first - 2)], actions[self.last - 1]
        seconds = None
        if before.started_at is not None and ended.started_at is not None:
            begun = before.started_at + (before.duration or 0.0 if self.first > 1 else 0.0)
            seconds = round(max(0.0, ended.started_at + (ended.duration or 0.0) - begun), 1)
        return Cost(
            actions=self.last - self.first + 1,
            seconds=seconds,
            tokens=spending.tokens(self.first, self.last),
            usd=spending.usd(self.first, self.last),
        )


@dataclass(frozen=True, slots=True)
class Idea:
    """A change, where it's made and why. `at` is the step that shows what it is about."""

    where: Where
    title: str
    why: str
    change: str
    saved: Saved
    at: int
    target: str = ""
    sketch: str | None = None
    language: str | None = None


def impact(idea: Idea, cost: Cost | None, actions: int) -> str:
    """What an idea would have saved here, in words."""
    if cost is None:
        return f"It would have saved no step of this run (step {idea.at})."
    span = f"step {idea.saved.first}" if cost.actions == 1 else f"steps {idea.saved.first}-{idea.saved.last}"
    parts = [f"{cost.actions} of {plural(actions, 'action')} ({span})"]
    if cost.seconds is not None and cost.seconds >= 1:
        parts.append(duration(cost.seconds))
    if cost.tokens:
        parts.append(f"{number(cost.tokens)} tokens")
    if cost.usd is not None and cost.usd >= 0.005:
        parts.append(f"${cost.usd:.2f}")
    return f"{'Saves' if idea.saved.sure else 'Up to'} {', '.join(parts)}."
