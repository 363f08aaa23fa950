"""The talk track: the agent says the same again and again and does nothing in between, or says it again and again
within one message; or the program around it keeps reporting the same, such as that it shortens the context.

Messages that differ in a number only are the same. What the user says in between is new, unless it's the same words
again; if it differs in a number that the agent then names, it's another question. Where the user's words, or a
timer's, come first, or after a pause, each of them asks again, and an equal answer is no repetition; where they come in
reply to what the agent says, they ask for nothing. An answer that the instructions dictate word for word, given when
somebody spoke, is none either. A thought that a tool takes down is said, too.

Repetition within one message: the same sentence or block again and again, where people write lists, tables and code
for that. Degenerate output of a model looks like this, whether it has words or not."""

from __future__ import annotations

import re
import zlib
from collections import Counter, deque
from collections.abc import Iterator

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

    def on_action(self, unit: Action) -> None:
        """An action ends what was being said."""
        self._step, self._spoke = unit.step, False
        if self._said or self._reported:
            self._silence()
        else:
            self._steps = [self._step]

    def on_message(self, message: Message) -> Iterator[Stretch]:
        """Take the next message; the stretch that became an episode with it."""
        words = _NUMBER.sub("0", " ".join(message.text[:_LONGEST].split()))
        if message.role != "assistant":
            self._unanswered = True
            if message.text[:_ORDER] not in self._orders:
                self._orders.append(message.text[:_ORDER])
        if message.role in ("system", "harness"):
            yield from self._report(words)
        elif message.role == "user":
            self._user(message, words)
        if message.role != "assistant" or not words:
            return
        if times := _times_repeated(message.text):
            yield self._made([self._step] * times, CHANT)
        if message.thought:
            return
        if not self._said or not alike(self._said, words, _ALIKE):
            self._reported, self._reports = "", 0
        answers, self._unanswered = self._unanswered, False
        if self._asked_again or (answers and self._dictated(message.text)):
            self._silence()
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
            if self._stretch.steps[-1] != self._step:
                self._stretch.steps.append(self._step)
        elif len(self._steps) >= rounds:
            self._stretch = self._made(self._steps, "monologue")
            yield self._stretch

    def _user(self, message: Message, words: str) -> None:
        paused = message.time is not None and self._spoke_at is not None and message.time - self._spoke_at >= _PAUSE
        if words != self._heard:
            self._silence()
            self._asks = not self._spoke
        self._asked_again, self._spoke = self._asks or paused, False
        # The numbers that are new in what the user says are remembered.
        numbers = set(_NUMBER.findall(message.text[:_LONGEST]))
        if len(self._asked) < _MOST_ASKED:
            self._asked |= numbers - self._numbers
        self._heard, self._numbers = words, numbers

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
        made = Stretch.of(LoopKind.MONOLOGUE, steps, steps[-1], set(), pattern, exact=True)
        made.steps = sorted(set(steps))
        return made

    def _start(self, words: str) -> None:
        self._said, self._steps, self._stretch = words, [self._step], None

    def _silence(self) -> None:
        """Forget what was being said and reported."""
        self._start("")
        self._reported, self._reports = "", 0


_TIMES = 10
"""How often a block must come in a row, or a sentence in a message."""
_NUMBERED_TIMES = 20
"""How often a sentence must come whose numbers run on."""
_FEWEST = 200
"""Characters that the repetition must cover."""
_LONGEST_MESSAGE = 40_000
"""Characters of a message that are looked at, from its beginning and its end."""
_WINDOW = 1_200
_DENSE = 0.25
"""Share of its size to which a window of ordinary prose can't be compressed."""
_PROBE = 24
_LONGEST_BLOCK = 600
_SENTENCE = 15
"""Characters of a sentence below which saying it often means nothing."""
_SHARE = 0.3
"""Share of a message that its commonest sentence must cover."""
_FENCE = late(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_LAID_OUT = late(
    r"^(?:[ \t]*(?:[-*+•]|\d{1,4}[.)]|\||#{1,6}|>)\s.*|[ \t]*\|.*|(?: {4}|\t).*|[-=_*+|: ]{3,})$", re.MULTILINE
)
"""Lists, tables, headings, quotations, indented code and rules."""
_ENDS = late(r"(?<=[.!?…])\s+|\n+")
_DIGITS = late(r"\d+")
_WORDS = late(r"[^\W\d_]{2}")


def _times_repeated(text: str) -> int:
    """How often a message says the same, lists, tables and code left aside; 0 for ordinary prose."""
    if len(text) < _FEWEST or not _may_chant(text):
        return 0
    if len(text) > _LONGEST_MESSAGE:
        text = f"{text[: _LONGEST_MESSAGE // 2]}\n{text[-_LONGEST_MESSAGE // 2 :]}"
    prose = _LAID_OUT.sub("", _FENCE.sub("\n", text))
    return _blocks(" ".join(prose.split())) or _sentences(prose)


def _may_chant(text: str) -> bool:
    """Whether any part of a text can be compressed as prose can't."""
    data = text[:_LONGEST_MESSAGE].encode("utf-8", "replace")
    return any(
        len(zlib.compress(data[start : start + _WINDOW], 1)) < _DENSE * min(_WINDOW, len(data) - start)
        for start in range(0, max(1, len(data) - _FEWEST), _WINDOW // 2)
    )


def _blocks(prose: str) -> int:
    """How often a block comes in a row; 0 where none comes often enough."""
    position = 0
    while position + _FEWEST <= len(prose):
        probe = prose[position : position + _PROBE]
        again = prose.find(probe, position + 1, position + _LONGEST_BLOCK + _PROBE)
        if again < 0:
            position += _PROBE
            continue
        period, end = again - position, again
        while end < len(prose) and prose[end] == prose[end - period]:
            end += 1
        count, covered = (end - position + 1) // period, end - position
        if count >= _TIMES and covered >= _FEWEST and _WORDS.search(prose[position:again]):
            return count
        position = max(end - period, position + _PROBE)
    return 0


def _sentences(prose: str) -> int:
    """How often the commonest sentence comes; 0 where that isn't often enough."""
    sentences = [found for part in _ENDS.split(prose) if len(found := " ".join(part.split())) >= _SENTENCE]
    if len(sentences) < _TIMES:
        return 0
    for times, said in ((_TIMES, sentences), (_NUMBERED_TIMES, [_DIGITS.sub("0", entry) for entry in sentences])):
        words, count = Counter(said).most_common(1)[0]
        if count >= times and count * len(words) >= max(_FEWEST, _SHARE * len(prose)) and _WORDS.search(words):
            return count
    return 0
