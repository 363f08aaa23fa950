"""Calls that are made again after a compaction took away what they had shown."""

from __future__ import annotations

from collections.abc import Set

from analyzer.detectors.signals.speech import Requests
from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.model.struct import Struct, field
from analyzer.model.words import Kind

_MOST = 4_000
"""How many calls are remembered."""


class AskedAgain(Struct):
    """Follows one lane: of calls of these kinds, which are made again within so many actions after a compaction. What
    the user ordered to be forgotten, or asks for again, isn't made again in vain."""

    kinds: Set[Kind]
    within: int
    _known: dict[str, Action] = field(default_factory=dict)
    _lost: dict[str, Action] = field(default_factory=dict)
    _until: int = 0
    _requests: Requests = field(default_factory=Requests)
    _asked_anew: bool = False

    def hear(self, message: Message) -> None:
        """Take the next message."""
        if self._requests.take(message):
            self._asked_anew, self._lost = True, {}

    def take(self, action: Action) -> Action | None:
        """Take the next action; the call from before the compaction that it repeats with the same result."""
        if action.compacted_before and action.step > 1:
            kept = not (self._asked_anew or action.compacted_by_user)
            self._lost, self._known = dict(self._known) if kept else {}, {}
            self._until = action.step + self.within
        self._asked_anew = False
        if action.kind not in self.kinds or action.failure is not None or not action.result or action.harness:
            return None
        key, earlier = action.keys.call, None
        if action.step < self._until and key in self._lost and self._lost[key].keys.outcome == action.keys.outcome:
            earlier = self._lost.pop(key)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[key] = action
        return earlier
