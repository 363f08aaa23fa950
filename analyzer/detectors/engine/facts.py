"""What all detectors look at: the timeline, and what is worked out of it once for all of them.

What a finding cost in tokens and money, from what the log records of its steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import Flag, auto
from functools import cached_property

from analyzer.detectors.engine.rule_state import LaneContext, cost_of, is_spread
from analyzer.detectors.episodes.episode import Episode
from analyzer.detectors.episodes.finder import EpisodeFinder
from analyzer.model.action import Action
from analyzer.model.finding import Cost, Finding
from analyzer.model.session import Message, ToolCall
from analyzer.model.words import Kind, Mark
from analyzer.timeline import Timeline
from analyzer.timeline.spending import Spending
from analyzer.timeline.verification.proofs import SharedFacts


class Need(Flag):
    """What a session must hold for a detector to find anything in it."""

    NOTHING = 0
    CALLS = auto()
    SILENCE = auto()
    """No call at all."""
    FAILURES = auto()
    """A step that failed."""
    FAILED_FUNCTIONS = auto()
    """A step that failed and is no command line."""
    CANCELLED = auto()
    """A call that was cancelled because another one of its message failed."""
    OBJECTS = auto()
    """A call that takes or returns something with parts, rather than text."""
    EXPECTED = auto()
    """What the task expects, as the record has it."""


_FAILED_FUNCTION = Need.FAILURES | Need.FAILED_FUNCTIONS
_OPENS = ("{", "[")


def _has_parts(action: Action) -> bool:
    """Whether a call takes a list or an object, or is a function about which nothing is known."""
    arguments = action.arguments
    if action.kind is Kind.OTHER and action.operation.command is None:
        return True
    return not isinstance(arguments, str) and not {list, dict}.isdisjoint(map(type, arguments.values()))


class Facts(SharedFacts):
    """One session's timeline with its episodes."""

    def __init__(self, timeline: Timeline) -> None:
        super().__init__(timeline)
        self._lanes = {lane: timeline.lane(lane) for lane in timeline.lanes()}
        self._spending: dict[str, Spending] = {}
        self._said: dict[tuple[str, int], str] = {}

    @cached_property
    def holds(self) -> Need:
        """Which of the facts that detectors need occur in the session."""
        held = Need.EXPECTED if self.timeline.session.expected is not None else Need.NOTHING
        actions = self.timeline.actions
        held |= Need.CALLS if actions else Need.SILENCE
        for action in actions:
            if action.failure is not None:
                held |= Need.FAILURES if action.operation.command is not None else _FAILED_FUNCTION
            if action.mark is Mark.CASCADE:
                held |= Need.CANCELLED
            if Need.OBJECTS not in held and (_has_parts(action) or (action.result or "").lstrip()[:1] in _OPENS):
                held |= Need.OBJECTS
        return held

    @cached_property
    def episodes(self) -> list[Episode]:
        """Every episode, lane by lane, in step order."""
        found: list[Episode] = []
        for lane, actions in self._lanes.items():
            finder = EpisodeFinder(LaneContext(lane, self.timeline.session.task or "", self.timeline.masks))
            for event in self.events(lane):
                for episode in finder.feed(event):
                    if isinstance(event, Message):
                        self._said[lane, episode.last] = event.text
            found.extend(finder.episodes(actions))
        return found

    def said(self, episode: Episode) -> str | None:
        """The message with which an episode of things said became known; None where none of its last step did."""
        return self._said.get((episode.lane, episode.last)) if self.episodes else None

    @cached_property
    def _events(self) -> dict[str, list[Action | Message]]:
        left = {lane: iter(actions) for lane, actions in self._lanes.items()}
        events: dict[str, list[Action | Message]] = defaultdict(list)
        for event in self.timeline.session.events:
            if isinstance(event, Message):
                events[event.lane].append(event)
            elif isinstance(event, ToolCall):
                events[event.lane].append(next(left[event.lane]))
        return events

    def events(self, lane: str) -> Sequence[Action | Message]:
        """The actions and messages of a lane as they came, an action at the place of its call."""
        return self._events.get(lane, [])

    def lane(self, lane: str) -> Sequence[Action]:
        """The actions of a lane; step N is at index N - 1."""
        return self._lanes[lane]

    def action(self, lane: str, step: int) -> Action:
        """One action."""
        return self._lanes[lane][step - 1]

    def cost(self, lane: str, first: int, last: int) -> Cost:
        """What the steps from `first` to `last` cost. Seconds only where the log has times for both ends."""
        actions = self._lanes[lane]
        return cost_of(actions[first - 1], actions[last - 1])

    def spending(self, lane: str) -> Spending:
        """What the steps of a lane cost in tokens and money."""
        if lane not in self._spending:
            self._spending[lane] = Spending(self._lanes.get(lane, []))
        return self._spending[lane]


def priced(finding: Finding, facts: Facts) -> Finding:
    """The finding with the tokens and the money that its actions cost, where the log records them per step. What a
    detector says itself stays, but for the pauses between two turns, which are no cost."""
    cost = finding.cost
    spending, first = facts.spending(finding.lane), finding.last_step - cost.actions + 1
    # Whether its cost is that of its steps themselves, which lie far apart.
    some = len(finding.steps) <= cost.actions < finding.last_step - finding.first_step + 1
    if some and is_spread(finding.steps):
        sums, seconds = spending.of_steps(finding.steps), cost.seconds
    else:
        sums = spending.tokens(first, finding.last_step), spending.usd(first, finding.last_step)
        seconds = _worked(finding, facts, first)
    tokens, usd = cost.tokens if cost.tokens is not None else sums[0], cost.usd if cost.usd is not None else sums[1]
    if (tokens, usd, seconds) == (cost.tokens, cost.usd, cost.seconds):
        return finding
    known = {"tokens": tokens, "usd": usd, "seconds": seconds}
    return finding.model_copy(update={"cost": cost.model_copy(update=known)})


def _worked(finding: Finding, facts: Facts, first: int) -> float | None:
    """The seconds that a finding cost, without the pauses between two turns."""
    lane = facts.lane(finding.lane) if finding.cost.seconds else ()
    if not 1 <= first <= finding.last_step <= len(lane):
        return finding.cost.seconds
    return facts.pauses.limited(finding.cost.seconds, lane[first - 1], lane[finding.last_step - 1])
