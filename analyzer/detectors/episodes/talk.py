"""The talk track: the agent says the same again and again, and does nothing in between."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.detectors.episodes.episode import Stretch
from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.model.words import LoopKind
from analyzer.text.similarity import alike

_SHORTEST = 20
"""Characters of a message below which saying it again means nothing ("OK.")."""
_LONGEST = 4_000
"""Characters of a message that are compared."""
_ALIKE = 92.0
"""Similarity, in percent, of two messages that say the same."""


class TalkTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        self._step = 0
        self._said = ""
        self._heard = ""
        self._count = 0
        self._stretch: Stretch | None = None

    def on_action(self, unit: Action) -> Iterator[Stretch]:
        """An action ends what was being said."""
        self._step = unit.step
        self._start("")
        return iter(())

    def on_message(self, message: Message) -> Iterator[Stretch]:
        """Take the next message; the stretch that became an episode with it."""
        words = " ".join(message.text[:_LONGEST].split())
        if message.role == "user":
            if words != self._heard:
                self._start("")
            self._heard = words
            return
        if message.role != "assistant" or message.thought or not words:
            return
        if len(words) < _SHORTEST or not self._said or not alike(self._said, words, _ALIKE):
            self._start(words)
            return
        self._count += 1
        if self._stretch is not None:
            self._stretch.round_ends.append(self._step)
        elif self._count >= self._rounds:
            step = self._step
            self._stretch = Stretch(
                LoopKind.MONOLOGUE,
                step,
                step,
                None,
                [step] * self._count,
                [step],
                None,
                True,
                True,
                "monologue",
                1,
                set(),
                step,
            )
            yield self._stretch

    def _start(self, words: str) -> None:
        self._said, self._count, self._stretch = words, 1, None
