"""What the guard would have said of a session at each alarm: the findings as they were then, with nothing of what came
later."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import LiveDetector
from analyzer.detectors.engine.outside import start
from analyzer.detectors.engine.registry import live_detectors
from analyzer.detectors.engine.rule_state import LaneContext, kinds_asked
from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.timeline import Timeline


class Alarms:
    """Shows a session to the rules once more, each as far as it's asked about."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._replays: dict[tuple[str, str], _Replay] = {}

    def of(self, finding: Finding) -> Finding | None:
        """A finding as its rule raised it at the step from which it's detectable; None where the rule can't follow a
        running agent, or raises nothing at that step with the options that are usual."""
        rule = live_detectors().get(finding.detector)
        if rule is None:
            return None
        key = (finding.detector, finding.lane)
        if key not in self._replays:
            self._replays[key] = _Replay(rule, self._facts, finding.lane)
        raised = self._replays[key].at(finding.detectable_at)
        return max(raised, key=lambda entry: _likeness(entry, finding), default=None)

    def words(self, finding: Finding) -> str:
        """The title that a finding had at its alarm; empty where that isn't known."""
        raised = self.of(finding)
        return raised.title if raised is not None else ""

    @cached_property
    def _facts(self) -> Facts:
        return Facts(self._timeline)


class _Replay:
    """One rule on one lane, up to the step that was asked for last."""

    def __init__(self, rule: LiveDetector, facts: Facts, lane: str) -> None:
        self._raised: dict[int, list[Finding]] = {}
        self._reached = -1
        self._steps = self._follow(rule, facts, lane)

    def at(self, step: int) -> list[Finding]:
        """What was raised at a step."""
        while self._reached <= step:
            reached = next(self._steps, None)
            if reached is None:
                break
            self._reached = reached
        return self._raised.get(step, [])

    def _follow(self, rule: LiveDetector, facts: Facts, lane: str) -> Iterator[int]:
        """Feeds the lane event by event; the step of each."""
        timeline, step = facts.timeline, 0
        state = start(rule, LaneContext(lane, timeline.session.task or "", timeline.masks))
        asked = kinds_asked(state)
        for event in facts.events(lane):
            step = event.step if isinstance(event, Action) else step
            if isinstance(event, asked):
                for finding in state.feed(event):
                    self._raised.setdefault(finding.detectable_at, []).append(finding)
            yield step


def _likeness(raised: Finding, finding: Finding) -> tuple[bool, bool, int]:
    """How sure it is that a raised finding is the one that is known afterwards."""
    shared = len(set(raised.steps) & set(finding.steps))
    return finding.group is not None and raised.group == finding.group, raised.kind == finding.kind, shared
