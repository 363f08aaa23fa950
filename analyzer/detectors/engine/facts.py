"""What all detectors look at: the timeline, and what is worked out of it once for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from analyzer.detectors.engine.rule_state import LaneContext, cost_of
from analyzer.detectors.episodes import Episode, EpisodeFinder
from analyzer.model.action import Action
from analyzer.model.finding import Cost
from analyzer.model.session import Message, ToolCall
from analyzer.timeline import Timeline
from analyzer.timeline.shared_facts import SharedFacts
from analyzer.timeline.spending import Spending


class Facts(SharedFacts):
    """One session's timeline with its episodes."""

    def __init__(self, timeline: Timeline) -> None:
        super().__init__(timeline)
        self._lanes = {lane: timeline.lane(lane) for lane in timeline.lanes()}
        self._spending: dict[str, Spending] = {}
        self._said: dict[tuple[str, int], str] = {}

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

    def occurrences(self, lane: str, steps: Sequence[int]) -> list[int]:
        """`steps` with those of one parallel batch counted once (the last of them), and expected failures left out."""
        kept: list[int] = []
        for step in steps:
            action = self.action(lane, step)
            if action.failure is not None and action.failure.expected:
                continue
            if kept and action.batch is not None and self.action(lane, kept[-1]).batch == action.batch:
                kept[-1] = step
            else:
                kept.append(step)
        return kept
