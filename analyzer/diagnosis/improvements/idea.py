"""An improvement before it has its place among the others, and what it would have saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.diagnosis.case import Case
from analyzer.model.action import Action
from analyzer.model.diagnosis import Where
from analyzer.model.finding import Cost
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE
from analyzer.text.english import duration, number, plural
from analyzer.timeline.elapsed import Pauses
from analyzer.timeline.spending import Spending


class Saved(Struct, frozen=True):
    """The steps of a lane from `first` to `last` that would not have been needed; none where `last` is less. `sure` is
    whether they would not have been made, rather than could have been avoided."""

    first: int
    last: int
    lane: str = MAIN_LANE
    sure: bool = False

    def steps(self, case: Case) -> tuple[int, ...]:
        """The steps among them that could have been saved."""
        if not 1 <= self.first <= self.last <= len(case.timeline.lane(self.lane)):
            return ()
        return case.avoidable(self.lane, self.first, self.last)

    def cost(self, case: Case) -> Cost | None:
        """What these steps took; None where there are none."""
        return taken(case, self.lane, self.steps(case))


def taken(case: Case, lane: str, steps: Sequence[int]) -> Cost | None:
    """What some steps of a lane took, each stretch from the end of the step before it; None for no step."""
    if not steps:
        return None
    actions, spans = case.timeline.lane(lane), list(_spans(steps))
    spending = Spending(actions)
    seconds = [_seconds(actions, case.pauses, *span) for span in spans]
    known = [part for part in seconds if part is not None]
    tokens = [count for span in spans if (count := spending.tokens(*span)) is not None]
    usd = [paid for span in spans if (paid := spending.usd(*span)) is not None]
    return Cost(
        actions=len(steps),
        seconds=round(sum(known), 1) if len(known) == len(seconds) else None,
        tokens=sum(tokens) if tokens else None,
        usd=sum(usd) if usd else None,
    )


def _spans(steps: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Steps that follow each other, as their first and last."""
    first = last = steps[0]
    for step in steps[1:]:
        if step != last + 1:
            yield first, last
            first = step
        last = step
    yield first, last


def _seconds(actions: Sequence[Action], pauses: Pauses, first: int, last: int) -> float | None:
    """From the end of the step before to the end of the last one, without the pauses between two turns."""
    before, ended = actions[max(0, first - 2)], actions[last - 1]
    if before.started_at is None or ended.started_at is None:
        return None
    begun = before.started_at + (before.duration or 0.0 if first > 1 else 0.0)
    return pauses.work(begun, ended.started_at + (ended.duration or 0.0))


class Idea(Struct, frozen=True):
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


def impact(idea: Idea, cost: Cost | None, steps: Sequence[int], actions: int) -> str:
    """What an idea would have saved here, in words; `steps` are those that it would have saved."""
    if cost is None:
        return f"What it would have saved isn't known (step {idea.at})."
    span = f"step {steps[0]}" if cost.actions == 1 else f"steps {steps[0]}-{steps[-1]}"
    if 1 < cost.actions < steps[-1] - steps[0] + 1:
        span = f"of {span}, those that failed, came back or left a failure as it was"
    parts = [f"{cost.actions} of {plural(actions, 'action')} ({span})"]
    if cost.seconds is not None and cost.seconds >= 1:
        parts.append(duration(cost.seconds))
    if cost.tokens:
        parts.append(f"{number(cost.tokens)} tokens")
    if cost.usd is not None and cost.usd >= 0.005:
        parts.append(f"${cost.usd:.2f}")
    return f"{'Saves' if idea.saved.sure else 'Up to'} {', '.join(parts)}."
