"""What is worked out of a timeline as a whole, by whoever asks for it first."""

from __future__ import annotations

from functools import cached_property

from analyzer.timeline.delivery import Delivery
from analyzer.timeline.elapsed import Pauses
from analyzer.timeline.timeline import Timeline
from analyzer.timeline.verification.proofs import Proofs


class SharedFacts:
    """A timeline with the answers for which all of its steps have to be followed. They aren't kept on the timeline,
    which they refer to."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline

    @cached_property
    def pauses(self) -> Pauses:
        """The waits between two turns."""
        return Pauses(self.timeline.session, self.timeline.actions)

    @cached_property
    def delivery(self) -> Delivery:
        """What is left of the changes, and which actions ran on it."""
        return Delivery(self.timeline)

    @cached_property
    def proofs(self) -> Proofs:
        """What the actions of the main lane prove."""
        return Proofs(self.timeline, self.delivery)
