"""Whether the user asks for something new: what was looked at before is looked at again for that."""

from __future__ import annotations

from collections import deque

from analyzer.model.session import Message
from analyzer.task.turns import read_turn

_REMEMBERED = 50
"""Words of the user that are remembered."""
_LONGEST = 8_000
"""Characters of a message that are read."""


class Requests:
    """Follows what the user says in one lane."""

    def __init__(self) -> None:
        self._heard: deque[str] = deque(maxlen=_REMEMBERED)

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
