"""What a detector is: a name, a manual page, options, and a function from a timeline to findings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Protocol, Self, runtime_checkable

from pydantic import BaseModel, ConfigDict

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.rule_state import LaneContext, RuleState
from analyzer.model.finding import Finding


class Options(BaseModel):
    """What a user may set of a detector; each field's docstring says what it does. Unknown keys and values of the wrong
    type are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True)

    @classmethod
    def usual(cls) -> Self:
        """The options that hold where nobody sets any; faster than the constructor, which checks what it's given."""
        return cls.model_construct()


class Detector(Protocol):
    """One detector, in one file whose docstring is its manual page.

    A detector is pure: no clock, no randomness, no environment, nothing of other detectors, nothing of the agent that
    wrote the log. It may be asked about any session and returns nothing where it has nothing to say. One that has
    options takes them as the only argument of its constructor and keeps them as `options`.
    """

    name: str
    """The name used in reports and on the command line."""

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of one session."""
        ...


@runtime_checkable
class LiveDetector(Protocol):
    """A detector that can follow a session while it happens."""

    name: str
    """The name used in reports and on the command line."""

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        ...


def follow(detector: LiveDetector, facts: Facts, fewest: int = 0) -> Iterable[Finding]:
    """All findings of a live detector in a recorded session: each lane is shown to a rule state, event by event. Lanes
    of fewer than `fewest` actions, in which the detector can't find anything, are passed over."""
    for lane in facts.timeline.lanes():
        if fewest and len(facts.timeline.lane(lane)) < fewest:
            continue
        state = detector.start(LaneContext(lane, facts.timeline.session.task or "", facts.timeline.masks))
        for event in facts.events(lane):
            state.feed(event)
        yield from state.findings()


class Live(ABC):
    """Base of the detectors whose rule is followed step by step, live and afterwards alike."""

    name: str

    @abstractmethod
    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of one session."""
        return follow(self, facts)
