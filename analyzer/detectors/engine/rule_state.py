"""Rules that are followed step by step, so that they say the same live, in a running agent, as afterwards, in its
recording.

A rule state sees the events of one lane in order. What it raises at a step rests on nothing later; afterwards a finding
may know more (how long it went on, whether the agent got out of it), but the step at which it was raised stays: it's
`detectable_at`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import pairwise

from analyzer.failures import STANDARD, MaskTable
from analyzer.model.action import Action
from analyzer.model.finding import Cost, Finding
from analyzer.model.session import Message
from analyzer.model.struct import Struct
from analyzer.text.english import plural, times


class LaneContext(Struct, frozen=True):
    """What a rule state knows from the start: its lane, the task as the user put it, and what varies by itself
    between two results.

    `live` is True in a running agent, where memory has to stay constant: what is only of use afterwards is not kept
    then.
    """

    lane: str
    task: str = ""
    masks: MaskTable = STANDARD
    live: bool = False


class RuleState:
    """Base of all rule states: sees nothing, finds nothing."""

    def __init__(self, lane_context: LaneContext) -> None:
        self.lane_context = lane_context

    def feed(self, event: Action | Message) -> Iterable[Finding]:
        """Take the next event of the lane; the findings that became detectable with it, as of now."""
        return list(self.on_action(event) if isinstance(event, Action) else self.on_message(event))

    def on_action(self, action: Action) -> Iterable[Finding]:  # noqa: ARG002
        """Take the next action; the findings that became detectable with it."""
        return ()

    def on_message(self, message: Message) -> Iterable[Finding]:  # noqa: ARG002
        """Take the next message. What an agent says right before a call is also in the action's `said`."""
        return ()

    def findings(self) -> Iterable[Finding]:
        """All findings so far, complete as of the last event. Empty in a live lane, where they aren't kept."""
        return ()


def kinds_asked(state: RuleState) -> tuple[type[Action | Message], ...]:
    """The kinds of events that a rule state looks at; the others needn't be shown to it."""
    kind = type(state)
    if kind.feed is not RuleState.feed:
        return (Action, Message)
    if isinstance(state, RuleStates):
        return tuple({asked: None for inner in state.states for asked in kinds_asked(inner)})
    taken: list[type[Action | Message]] = []
    if kind.on_action is not RuleState.on_action:
        taken.append(Action)
    if kind.on_message is not RuleState.on_message:
        taken.append(Message)
    return tuple(taken)


class ImmediateState(RuleState, ABC):
    """Base of rule states whose findings don't change any more once they're raised: `inspect` says what an action
    shows."""

    def __init__(self, lane_context: LaneContext) -> None:
        super().__init__(lane_context)
        self._raised: list[Finding] = []

    @abstractmethod
    def inspect(self, action: Action) -> Iterable[Finding]:
        """The findings that became detectable with this action."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        """Take the next action; the findings that became detectable with it."""
        new = list(self.inspect(action))
        if not self.lane_context.live:
            self._raised.extend(new)
        return new

    def findings(self) -> Iterable[Finding]:
        """All findings so far."""
        return self._raised


class RuleStates(RuleState):
    """Several rules that one detector follows side by side."""

    def __init__(self, lane_context: LaneContext, states: Sequence[RuleState]) -> None:
        super().__init__(lane_context)
        self.states = states

    def on_action(self, action: Action) -> Iterable[Finding]:
        """Take the next action; the findings that became detectable with it."""
        return [finding for state in self.states for finding in state.on_action(action)]

    def on_message(self, message: Message) -> Iterable[Finding]:
        """Take the next message."""
        return [finding for state in self.states for finding in state.on_message(message)]

    def findings(self) -> Iterable[Finding]:
        """All findings so far, rule by rule."""
        return [finding for state in self.states for finding in state.findings()]


def cost_of(first: Action, last: Action) -> Cost:
    """What the steps from `first` to `last` cost. Seconds only where the log has times for both ends."""
    start, end = first.started_at, last.started_at
    seconds = (
        round(max(0.0, end + (last.duration or 0.0) - start), 3) if start is not None and end is not None else None
    )
    return Cost(actions=last.step - first.step + 1, seconds=seconds)


SPREAD = 12
"""Steps between two occurrences from which on what lies between them is no part of what they cost."""


def is_spread(steps: Sequence[int]) -> bool:
    """Whether more lies between two successive steps than belongs to them."""
    return any(later - earlier > SPREAD for earlier, later in pairwise(steps))


def cost_of_steps(actions: Iterable[Action]) -> Cost:
    """What some actions cost by themselves. Seconds only where the log says of each how long it took."""
    durations = [action.duration for action in actions]
    known = [duration for duration in durations if duration is not None]
    return Cost(actions=len(durations), seconds=round(sum(known), 3) if len(known) == len(durations) else None)


class StepCounter:
    """The occurrences of one failure or sign: the first and the last action that show it, and their steps. Calls of one
    message count once.

    Live, only as many steps are kept as a finding names.
    """

    __slots__ = ("_most", "_seconds", "_widest", "calls", "count", "first", "last", "steps")

    def __init__(self, lane_context: LaneContext) -> None:
        self.first: Action | None = None
        self.last: Action | None = None
        self.steps: list[int] = []
        self.count = self.calls = 0
        """How many messages show it, and how many calls."""
        self._most = 50 if lane_context.live else None
        self._widest = 0
        self._seconds: float | None = 0.0

    def add(self, action: Action) -> bool:
        """Count an action; False where it belongs to the same message as the one before it."""
        self.calls += 1
        known = self._seconds is not None and action.duration is not None
        self._seconds = (self._seconds or 0.0) + (action.duration or 0.0) if known else None
        if self.last is not None:
            self._widest = max(self._widest, action.step - self.last.step)
        if self.last is not None and action.batch is not None and self.last.batch == action.batch:
            return False
        self.first = self.first or action
        self.last = action
        self.count += 1
        if self._most is None or len(self.steps) < self._most:
            self.steps.append(action.step)
        return True

    @property
    def times(self) -> str:
        """How often it showed, for a title: the calls, with the number of turns where several were sent together."""
        return often(self.calls, self.count)

    @property
    def cost(self) -> Cost:
        """From the first to the last occurrence; of occurrences that lie far apart what they took themselves."""
        assert self.first is not None
        assert self.last is not None
        if self._widest > SPREAD:
            seconds = None if self._seconds is None else round(self._seconds, 3)
            return Cost(actions=self.calls, seconds=seconds)
        return cost_of(self.first, self.last)


def often(calls: int, turns: int) -> str:
    """How often something showed: the calls, with the number of turns where there are fewer."""
    return f"{times(calls)} in {plural(turns, 'turn')}" if turns < calls else times(calls)


def spread(steps: Sequence[int], limit: int = 3) -> list[int]:
    """At most `limit` of some steps: the first, some from the middle, the last."""
    if len(steps) <= limit:
        return list(steps)
    middle = len(steps) // 2
    return [steps[0], *steps[middle : middle + limit - 2], steps[-1]]
