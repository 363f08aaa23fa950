"""A call that is made again and again, for the tracks that look for one that gets the same answer."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import MOST_LIVE, Stretch, asks_again
from analyzer.model.action import Action
from analyzer.model.words import LoopKind


@dataclass(slots=True)
class Asked:
    """A question, when it was asked last, and how often it was answered the same."""

    latest: Action
    position: int
    steps: list[int]
    rounds: int = 1
    stretch: Stretch | None = None

    def again(self, unit: Action, position: int, rounds: int, lane_context: LaneContext) -> Stretch | None:
        """Note that `unit` asked it again and got the same answer; the stretch that this makes an episode at `rounds`
        rounds. Calls of one message are one round, and what the task asks to do again is no episode."""
        due, together = position - self.position, unit.batch is not None and unit.batch == self.latest.batch
        self.latest, self.position = unit, position
        if together:
            return None
        self.rounds += 1
        if self.stretch is not None:
            self.stretch.last = unit.step
        if not lane_context.live or len(self.steps) < MOST_LIVE:
            self.steps.append(unit.step)
        if self.stretch is not None or self.rounds < rounds:
            return None
        if unit.operation.target in lane_context.task and asks_again(lane_context.task):
            return None
        self.stretch = Stretch(
            LoopKind.REPEATED_CALL,
            self.steps[0],
            unit.step,
            None,
            self.steps,
            self.steps,
            None,
            True,
            False,
            "repeated call",
            due,
            {unit.keys.call_masked},
            unit.step,
        )
        return self.stretch
