"""Rules that are followed step by step, so that they say the same live, in a running agent, as afterwards, in its recording.

A watch sees the events of one lane in order. What it raises at a step rests on nothing later; afterwards a finding may know more
(how long it went on, whether the agent got out of it), but the step at which it was raised stays: it's `detectable_at`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analyzer.failures import STANDARD, MaskTable
from analyzer.model.action import Action
from analyzer.model.finding import Cost, Finding
from analyzer.model.session import Message


@dataclass(frozen=True, slots=True)
class Scene:
    """What a watch knows from the start: its lane, the task as the user put it, and what varies by itself between two results.

    `live` is True in a running agent, where memory has to stay constant: what is only of use afterwards is not kept then.
    """

    lane: str
    task: str = ""
    masks: MaskTable = STANDARD
    live: bool = False


class Watch:
    """Base of all watches: sees nothing, finds nothing."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def take(self, event: Action | Message) -> Iterable[Finding]:
        """Take the next event of the lane; the findings that became knowable with it, as they stand."""
        return list(self.see(event) if isinstance(event, Action) else self.hear(event))

    def see(self, action: Action) -> Iterable[Finding]:  # noqa: ARG002
        """Take the next action; the findings that became knowable with it."""
        return ()

    def hear(self, message: Message) -> Iterable[Finding]:  # noqa: ARG002
        """Take the next message. What an agent says right before a call is also in the action's `said`."""
        return ()

    def found(self) -> Iterable[Finding]:
        """All findings so far, complete as of the last event. Empty in a live scene, where they aren't kept."""
        return ()


class Pointed(Watch, ABC):
    """Base of watches whose findings don't change any more once they're raised: `look` says what an action shows."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._raised: list[Finding] = []

    @abstractmethod
    def look(self, action: Action) -> Iterable[Finding]:
        """The findings that became knowable with this action."""

    def see(self, action: Action) -> Iterable[Finding]:
        """Take the next action; the findings that became knowable with it."""
        new = list(self.look(action))
        if not self.scene.live:
            self._raised.extend(new)
        return new

    def found(self) -> Iterable[Finding]:
        """All findings so far."""
        return self._raised


def cost_of(first: Action, last: Action) -> Cost:
    """What the steps from `first` to `last` cost. Seconds only where the log has times for both ends."""
    start, end = first.started_at, last.started_at
    seconds = round(max(0.0, end + (last.duration or 0.0) - start), 3) if start is not None and end is not None else None
    return Cost(actions=last.step - first.step + 1, seconds=seconds)


class Tally:
    """The occurrences of one thing: the first and the last action that show it, and their steps. Calls of one message count once.

    Live, only as many steps are kept as a finding names.
    """

    __slots__ = ("_most", "count", "first", "last", "steps")

    def __init__(self, scene: Scene) -> None:
        self.first: Action | None = None
        self.last: Action | None = None
        self.steps: list[int] = []
        self.count = 0
        self._most = 50 if scene.live else None

    def add(self, action: Action) -> bool:
        """Count an action; False where it belongs to the same message as the one before it."""
        if self.last is not None and action.batch is not None and self.last.batch == action.batch:
            return False
        self.first = self.first or action
        self.last = action
        self.count += 1
        if self._most is None or len(self.steps) < self._most:
            self.steps.append(action.step)
        return True

    @property
    def cost(self) -> Cost:
        """From the first to the last occurrence."""
        assert self.first is not None
        assert self.last is not None
        return cost_of(self.first, self.last)


def spread(steps: Sequence[int], limit: int = 3) -> list[int]:
    """At most `limit` of some steps: the first, some from the middle, the last."""
    if len(steps) <= limit:
        return list(steps)
    middle = len(steps) // 2
    return [steps[0], *steps[middle : middle + limit - 2], steps[-1]]
