"""Calls that are made again after a compaction took away what they had shown."""

from __future__ import annotations

from collections import deque
from collections.abc import Set

from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.model.struct import Struct, field
from analyzer.model.words import Kind
from analyzer.task.turns import read_turn

_MOST = 4_000
"""How many calls are remembered."""


_LONGEST = 8_000
"""Characters of a request that are read."""
_HEARD_MOST = 50
"""Words of the user that are remembered."""


class Requests:
    """Follows what the user says in one lane."""

    def __init__(self) -> None:
        self._heard: deque[str] = deque(maxlen=_HEARD_MOST)

    def take(self, message: Message) -> bool:
        """Take the next message; whether it's a request of the user that was not made before. An approval, a word to
        go on and a command to the program around the agent ask for nothing new."""
        if message.role != "user" or message.thought:
            return False
        text = message.text[:_LONGEST].strip()
        words = " ".join(text.split())
        if not words or words in self._heard:
            return False
        self._heard.append(words)
        return not read_turn(text).approves and not (words.startswith("/") and len(words.split()) == 1)


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
