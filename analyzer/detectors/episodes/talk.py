"""The talk track: the agent says the same again and again and does nothing in between, or says it again and again
within one message; or the program around it keeps reporting the same, such as that it shortens the context.

Messages that differ in a number only are the same. What the user says in between is new, unless it's the same words
again.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.detectors.episodes.chants import chant_of
from analyzer.detectors.episodes.episode import CHANT, REPORTED, Stretch
from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.model.words import LoopKind
from analyzer.text.late import late
from analyzer.text.similarity import alike

_SHORTEST = 8
"""Letters of a message below which saying it again means nothing ("OK.")."""
_LONGEST = 4_000
"""Characters of a message that are compared."""
_ALIKE = 92.0
"""Similarity, in percent, of two messages that say the same."""
_REPORTS = 5
"""How often the program around the agent must report the same."""
_NUMBER = late(r"\d+(?:[.,:]\d+)*")
_LETTER = late(r"[^\W\d_]")


class TalkTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        self._step = 0
        self._said = ""
        self._heard = ""
        self._count = 0
        self._stretch: Stretch | None = None
        self._reported = ""
        self._reports = 0
        self._report_stretch: Stretch | None = None

    def on_action(self, unit: Action) -> Iterator[Stretch]:
        """An action ends what was being said."""
        self._step = unit.step
        self._start("")
        self._reported, self._reports = "", 0
        return iter(())

    def on_message(self, message: Message) -> Iterator[Stretch]:
        """Take the next message; the stretch that became an episode with it."""
        words = _NUMBER.sub("0", " ".join(message.text[:_LONGEST].split()))
        if message.role in ("system", "harness"):
            yield from self._report(words)
            return
        if message.role == "user":
            if words != self._heard:
                self._start("")
            self._heard = words
            return
        if message.role != "assistant" or not words:
            return
        if (chant := chant_of(message.text)) is not None:
            yield self._made(chant.times, CHANT)
        if message.thought:
            return
        if len(_LETTER.findall(words)) < _SHORTEST or not self._said or not alike(self._said, words, _ALIKE):
            self._start(words)
            return
        self._count += 1
        if self._stretch is not None:
            self._stretch.round_ends.append(self._step)
        elif self._count >= self._rounds:
            self._stretch = self._made(self._count, "monologue")
            yield self._stretch

    def _report(self, words: str) -> Iterator[Stretch]:
        """Count what the program around the agent says, as long as nothing else happens."""
        if words != self._reported or len(words) < _SHORTEST:
            self._reported, self._reports, self._report_stretch = words, 1, None
            return
        self._reports += 1
        if self._report_stretch is not None:
            self._report_stretch.round_ends.append(self._step)
        elif self._reports >= _REPORTS:
            self._report_stretch = self._made(self._reports, REPORTED)
            yield self._report_stretch

    def _made(self, count: int, pattern: str) -> Stretch:
        step = self._step
        return Stretch(
            LoopKind.MONOLOGUE, step, step, None, [step] * count, [step], None, True, True, pattern, 1, set(), step
        )

    def _start(self, words: str) -> None:
        self._said, self._count, self._stretch = words, 1, None
