"""The talk track: the agent says the same again and again and does nothing in between, or says it again and again
within one message; or the program around it keeps reporting the same, such as that it shortens the context.

Messages that differ in a number only are the same. What the user says in between is new, unless it's the same words
again; if it differs in a number that the agent then names, it's another question. Where the user's words, or a
timer's, come first, or after a pause, each of them asks again, and an equal answer is no repetition; where they come in
reply to what the agent says, they ask for nothing. An answer that the instructions dictate word for word, given when
somebody spoke, is none either. A thought that a tool takes down is said, too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from analyzer.detectors.episodes.episode import CHANT, REPORTED, Stretch
from analyzer.detectors.episodes.repeated_passages import repeated_passage
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
_THOUGHTS = 6
"""How often a thought must be taken down in the same words: it costs little."""
_REPORTS = 5
"""How often the program around the agent must report the same."""
_MOST_ASKED = 200
"""Numbers that the user named which are remembered."""
_PAUSE = 60.0
"""Seconds of silence after which a user's words are no reply to what the agent said before."""
_ORDERS = 8
"""Texts of instructions that are remembered."""
_ORDER = 40_000
"""Characters of each of them."""
_DICTATED = 200
"""Characters of a message beyond which no instruction dictates it."""
_NUMBER = late(r"\d+(?:[.,:]\d+)*")
_DICTATES = late(
    r"(?i)\b(?:repl(?:y|ies)|respond|answer|say|output|return|print|write|send)\b[^.!?\n]{0,60}[\s:\"'`(]\Z"
)
"""What stands before words that an instruction dictates."""
_ENOUGH = late(rf"(?:[\W\d_]*[^\W\d_]){{{_SHORTEST}}}")


class TalkTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, rounds: int, task: str = "") -> None:
        self._rounds = rounds
        self._unanswered = False
        self._orders: deque[str] = deque([task[:_ORDER]], maxlen=_ORDERS)
        self._spoke = False
        """Whether the agent's words are the last thing that happened."""
        self._spoke_at: float | None = None
        self._asks = False
        """Whether what the user says in the same words is a request each time, not a reply."""
        self._asked_again = False
        self._step = 0
        self._said = ""
        self._heard = ""
        self._numbers: set[str] = set()
        self._asked: set[str] = set()
        """The numbers that the user named and the agent hasn't taken up."""
        self._steps: list[int] = []
        self._stretch: Stretch | None = None
        self._reported = ""
        self._reports = 0
        self._report_stretch: Stretch | None = None

    def on_thought(self, unit: Action) -> Iterator[Stretch]:
        """Take a thought that was handed to a tool; the stretch that became an episode with it."""
        self._step = unit.step
        words = _NUMBER.sub("0", " ".join(unit.keys.call[:_LONGEST].split()))
        yield from self._say(words, max(self._rounds, _THOUGHTS))

    def on_action(self, unit: Action) -> Iterator[Stretch]:
        """An action ends what was being said."""
        self._step, self._spoke = unit.step, False
        self._start("")
        self._reported, self._reports = "", 0
        return iter(())

    def on_message(self, message: Message) -> Iterator[Stretch]:
        """Take the next message; the stretch that became an episode with it."""
        words = _NUMBER.sub("0", " ".join(message.text[:_LONGEST].split()))
        if message.role != "assistant":
            self._unanswered = True
            if message.text[:_ORDER] not in self._orders:
                self._orders.append(message.text[:_ORDER])
        if message.role in ("system", "harness"):
            yield from self._report(words)
            return
        if message.role == "user":
            self._user(message, words)
            return
        if message.role != "assistant" or not words:
            return
        if (chant := repeated_passage(message.text)) is not None:
            yield self._made([self._step] * chant.times, CHANT)
        if message.thought:
            return
        if not self._said or not alike(self._said, words, _ALIKE):
            self._reported, self._reports = "", 0
        answers, self._unanswered = self._unanswered, False
        if self._asked_again or (answers and self._dictated(message.text)):
            self._start("")
            self._reported, self._reports = "", 0
        self._spoke, self._spoke_at, self._asked_again = True, message.time, False
        if answered := self._asked.intersection(_NUMBER.findall(message.text[:_LONGEST])):
            self._asked -= answered
            self._start("")
        yield from self._say(words, self._rounds)

    def _say(self, words: str, rounds: int) -> Iterator[Stretch]:
        few = _ENOUGH.match(words) is None
        if few or not self._said or not alike(self._said, words, _ALIKE):
            self._start(words)
            return
        self._steps.append(self._step)
        if self._stretch is not None:
            self._stretch.last = self._step
            self._stretch.steps = list(dict.fromkeys(self._steps))
        elif len(self._steps) >= rounds:
            self._stretch = self._made(self._steps, "monologue")
            yield self._stretch

    def _user(self, message: Message, words: str) -> None:
        paused = message.time is not None and self._spoke_at is not None and message.time - self._spoke_at >= _PAUSE
        if words != self._heard:
            self._start("")
            self._reported, self._reports = "", 0
            self._asks = not self._spoke
        self._asked_again, self._spoke = self._asks or paused, False
        self._hear(words, message.text[:_LONGEST])

    def _dictated(self, text: str) -> bool:
        """Whether an instruction says that these words are to be said."""
        said = text.strip()
        if not 0 < len(said) <= _DICTATED:
            return False
        for order in self._orders:
            at = order.find(said)
            while at >= 0:
                if _DICTATES.search(order, max(0, at - 80), at):
                    return True
                at = order.find(said, at + 1)
        return False

    def _hear(self, words: str, text: str) -> None:
        """Remember what the user says, and the numbers that are new in it."""
        numbers = set(_NUMBER.findall(text))
        if len(self._asked) < _MOST_ASKED:
            self._asked |= numbers - self._numbers
        self._heard, self._numbers = words, numbers

    def _report(self, words: str) -> Iterator[Stretch]:
        """Count what the program around the agent says, as long as nothing else happens."""
        if words != self._reported or len(words) < _SHORTEST:
            self._reported, self._reports, self._report_stretch = words, 1, None
            return
        self._reports += 1
        if self._report_stretch is not None:
            self._report_stretch.round_ends.append(self._step)
        elif self._reports >= _REPORTS:
            self._report_stretch = self._made([self._step] * self._reports, REPORTED)
            yield self._report_stretch

    def _made(self, steps: list[int], pattern: str) -> Stretch:
        last = steps[-1]
        return Stretch(
            LoopKind.MONOLOGUE,
            steps[0],
            last,
            None,
            steps,
            sorted(set(steps)),
            None,
            True,
            True,
            pattern,
            1,
            set(),
            last,
        )

    def _start(self, words: str) -> None:
        self._said, self._steps, self._stretch = words, [self._step], None
