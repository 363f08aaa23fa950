"""The call track: the same cycle of one to eight calls comes back with the same results.

Two calls are the same when they're equal once masked (of a browser that's asked in words: when it does the same);
questions in words (a search, a fetch) also when all names and numbers are equal and the words nearly so. Two results
are the same when they show the same failure or are equal once masked. Calls that were sent together in one message
count as one round. Waiting is no loop, keeping a list of tasks isn't either, nor is what the user asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import (
    LONGEST_PERIOD,
    MOST_LIVE,
    Stretch,
    asks_again,
    passing,
    pattern_of,
    waits,
)
from analyzer.model.action import Action
from analyzer.model.words import Kind, LoopKind
from analyzer.text.similarity import near
from analyzer.timeline.keys import same_outcome

_LONGEST = 1_500
"""Characters of a call that may be nearly equal to another: longer ones are texts."""
_SHORTEST = 20
"""Characters of a question below which nearly equal means nothing."""
_EXACT = frozenset({Kind.EDIT, Kind.RUN, Kind.TEST, Kind.WAIT})
"""Kinds of calls of which no two are the same but for their words: code and command lines mean something to the
letter."""
_IDLE = frozenset({Kind.WAIT, Kind.PLAN})


class CallTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int) -> None:
        self._rounds = rounds
        self._lane_context = lane_context
        self._asks_again = asks_again(lane_context.task)
        self._units: deque[Action] = deque(maxlen=2 * rounds * LONGEST_PERIOD)
        self._equal = [0] * (LONGEST_PERIOD + 1)
        self._open: dict[int, Stretch] = {}

    def on_action(self, unit: Action) -> Iterator[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        if unit.after_user:
            self._forget()
        if (
            self._units
            and unit.batch is not None
            and unit.batch == self._units[-1].batch
            and self._same(unit, self._units[-1])
        ):
            return
        self._units.append(unit)
        for period in range(1, LONGEST_PERIOD + 1):
            if len(self._units) <= period or not self._same(unit, self._units[-1 - period]):
                self._equal[period] = 0
                self._open.pop(period, None)
                continue
            self._equal[period] += 1
            if self._equal[period] % period == 0 and self._equal[period] >= (self._rounds - 1) * period:
                known = self._open.get(period)
                if known is not None:
                    self._grow(known, period)
                elif (made := self._made(period)) is not None:
                    self._open[period] = made
                    yield made

    def _same(self, one: Action, other: Action) -> bool:
        return _same_call(one, other) and same_outcome(one, other, self._lane_context.masks)

    def _forget(self) -> None:
        self._units.clear()
        self._equal = [0] * (LONGEST_PERIOD + 1)
        self._open.clear()

    def _made(self, period: int) -> Stretch | None:
        units = list(self._units)[-(self._equal[period] + period) :]
        cycle = units[-period:]
        if all(action.kind in _IDLE for action in cycle) or self._asked(cycle[0], period):
            return None
        if waits(cycle) and any(passing(action) for action in cycle) and len(units) < 2 * self._rounds * period:
            return None
        if any(other.first <= units[0].step and other.last >= units[-1].step for other in self._open.values()):
            return None
        failures = {action.failure.group for action in units if action.failure is not None and action.failure.group}
        group = failures.pop() if len(failures) == 1 else None
        reads = (
            period == 1
            and units[0].kind is Kind.READ
            and units[0].failure is None
            and units[0].operation.path is not None
        )
        kind = (
            LoopKind.RE_READ
            if reads
            else LoopKind.REPEATED_CALL
            if period == 1
            else LoopKind.ALTERNATING
            if period == 2
            else LoopKind.CYCLE
        )
        same = all(a.keys.call_masked == b.keys.call_masked for a, b in zip(units, units[period:], strict=False))
        return Stretch(
            kind=kind,
            first=units[0].step,
            last=units[-1].step,
            period=period,
            round_ends=[action.step for action in units[period - 1 :: period]],
            steps=[action.step for action in units if group is None or action.failure is not None],
            group=group,
            same_calls=same,
            exact=True,
            pattern=pattern_of(units[:period], same=True),
            due=period,
            calls={action.keys.call_masked for action in units},
            opened_at=units[-1].step,
        )

    def _grow(self, stretch: Stretch, period: int) -> None:
        units = list(self._units)[-period:]
        stretch.last = units[-1].step
        if self._lane_context.live and len(stretch.round_ends) >= MOST_LIVE:
            return
        stretch.round_ends.append(units[-1].step)
        stretch.steps.extend(action.step for action in units if stretch.group is None or action.failure is not None)

    def _asked(self, unit: Action, period: int) -> bool:
        """Whether the task names the one call and says that it's to be made again and again."""
        target = unit.operation.target.strip()
        return period == 1 and self._asks_again and len(target) > 1 and target in self._lane_context.task


def _same_call(one: Action, other: Action) -> bool:
    if one.keys.call_masked == other.keys.call_masked:
        return True
    if one.keys.browser_action or other.keys.browser_action:
        return False
    if (
        one.tool != other.tool
        or one.kind in _EXACT
        or other.kind in _EXACT
        or one.operation.command is not None
        or one.result is None
    ):
        return False
    asked, again = one.operation.target, other.operation.target
    return min(len(asked), len(again)) >= _SHORTEST and max(len(asked), len(again)) < _LONGEST and near(asked, again)
