"""What the user says at once, read: what is asked for, named, forbidden, corrected and approved; and the turns of a
session, each with the actions that followed and what the agent answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from analyzer.model.session import Message, Session, ToolCall
from analyzer.model.struct import Struct, field
from analyzer.model.words import MAIN_LANE
from analyzer.speech.acts import Act, acts_of, lead_verb, words_for
from analyzer.task.corrections import Correction, corrections_of
from analyzer.task.prose import is_command, is_interruption, prose, sentences
from analyzer.text.late import late
from analyzer.text.plain import holds_any


class Request(StrEnum):
    """What a user can ask for."""

    CHANGE = "change"
    """The project is to be changed."""
    ANSWER = "answer"
    """A question is to be answered."""
    REVIEW = "review"
    """Something is to be looked over and judged."""
    FILE = "file"
    """A document or another single file is to be written."""
    RUN = "run"
    """Something is to be run, started, committed or sent."""


@dataclass(frozen=True)
class UserTurn:
    """What the user said at once; each part is read when it's first asked for.

    `answers` says that the agent had asked something.
    """

    text: str
    answers: bool = False

    @cached_property
    def requests(self) -> frozenset[Request]:
        """What is asked for."""
        return frozenset(_requests(self.text))

    @cached_property
    def only_asks(self) -> bool:
        """True for a turn that wants to know something, and nothing done."""
        return bool(self.requests) and self.requests <= _TO_KNOW and not holds_any(self.text.lower(), _PLEASE)

    @cached_property
    def corrections(self) -> tuple[Correction, ...]:
        """Where the agent is corrected."""
        return tuple(corrections_of(self.text, answers=self.answers))

    @cached_property
    def approves(self) -> bool:
        """True for a turn that does nothing but agree ("yes, go ahead"); what it agrees to is what the agent had said
        before it."""
        said = list(sentences(self.text))
        return bool(said) and all(acts_of(sentence, "user", _AGREES) for sentence in said)


_TO_KNOW = frozenset({Request.ANSWER, Request.REVIEW})
_PLEASE = ("please", "can you", "could you", "will you", "would you", "can i", "could i", "may i", "you to ")
"""How a question asks for more than an answer."""
_AGREES = frozenset({Act.ONLY_APPROVES})
_BY_VERB = {Request.REVIEW: "review", Request.RUN: "run", Request.CHANGE: "change"}
_QUESTIONS = late(
    r"^(?:what|why|how|when|where|who|which|whose|is|are|was|were|does|do|did|has|have|should|would|could|can (?!you\b)"
    r"|explain|tell me|describe|show me)\b|\?\s*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def read_turn(text: str, *, answers: bool = False) -> UserTurn:
    """What the user said in one turn: one object for all who ask, so that nothing in it is read twice."""
    return UserTurn(text, answers)


def asks(text: str) -> bool:
    """Whether what the agent said ends with a question, so that a "no" answers it."""
    return "?" in text[-300:] or "？" in text[-300:]


def _requests(text: str) -> Iterator[Request]:
    for sentence in sentences(text):
        found = request_of(sentence)
        if found is not None:
            yield found


def request_of(sentence: str) -> Request | None:
    """What one sentence asks for; None where it asks for nothing of these."""
    lead = lead_verb(sentence)
    if lead is not None and lead[0] in words_for("requests", "file") and lead[1] & set(words_for("requests", "things")):
        return Request.FILE
    kind = next((kind for kind, name in _BY_VERB.items() if lead and lead[0] in words_for("requests", name)), None)
    return kind or (Request.ANSWER if _QUESTIONS.search(sentence) else None)


_IN_A_ROW = 120.0
"""Seconds within which two messages of the user are one turn."""


class Turn(Struct):
    """One turn of the user: the words of the messages that were sent in a row, whether they answer a question, the
    indexes of its actions in file order (`first` to before `end`), and what the agent said after the last of them.
    `failed` is what was said of calls of the model that failed, `stopped` whether the user interrupted the agent,
    `time` when the last of the words were sent."""

    words: list[str]
    answers: bool
    first: int
    end: int = 0
    said: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    stopped: bool = False
    time: float | None = None

    @property
    def text(self) -> str:
        """All that was said."""
        return "\n".join(self.words)

    @property
    def read(self) -> UserTurn:
        """What the user does with it."""
        return read_turn(self.text, answers=self.answers)


def turns_in(session: Session) -> list[Turn]:
    """The turns of the main lane, in order. What a harness says isn't one, nor is a message that holds nothing but
    notices of the program, nor a slash command that the agent doesn't take up; a task that only the header gives comes
    first."""
    turns: list[Turn] = []
    index, asked, spoken = 0, False, True
    idle = _commands_to_the_program(session)
    for number, event in enumerate(session.events):
        if isinstance(event, ToolCall):
            index += 1
            if event.lane == MAIN_LANE:
                spoken = True
                if turns:
                    turns[-1].said.clear()
                elif session.task:
                    turns.append(Turn([session.task], answers=False, first=index - 1))
        elif isinstance(event, Message) and event.lane == MAIN_LANE and not event.thought:
            if event.failed:
                spoken = True
                if turns:
                    turns[-1].failed.append(event.text)
            elif is_interruption(event.text):
                spoken = True
                if turns:
                    turns[-1].stopped = True
            elif event.role == "assistant":
                asked, spoken = asks(event.text), True
                if turns:
                    turns[-1].said.append(event.text)
            elif event.role == "user" and number not in idle and (event.unrecorded or _is_said(event.text)):
                if (
                    turns
                    and not spoken
                    and (turns[-1].time is None or event.time is None or abs(event.time - turns[-1].time) <= _IN_A_ROW)
                ):
                    turns[-1].words.append(event.text)
                    turns[-1].time = event.time
                    continue
                if turns:
                    turns[-1].end = index
                turns.append(Turn([event.text], answers=asked, first=index, time=event.time))
                spoken = False
    if not turns and session.task:
        turns.append(Turn([session.task], answers=False, first=0))
    if turns:
        turns[-1].end = index
    return turns


def _is_said(text: str) -> bool:
    """Whether a message holds something that a person typed or pasted."""
    return bool(prose(text).strip()) or "```" in text or "~~~" in text or is_command(text)


def _commands_to_the_program(session: Session) -> set[int]:
    """Which events are slash commands that the program carries out itself: those that are given while the agent is at
    work, and those after which the user speaks again before the agent does anything. Any other one is a prompt."""
    found: set[int] = set()
    rests, waiting = True, list[int]()
    for number, event in enumerate(session.events):
        if isinstance(event, ToolCall) and event.lane == MAIN_LANE:
            rests, waiting = False, []
        elif isinstance(event, Message) and event.lane == MAIN_LANE and not event.thought:
            if event.role == "assistant":
                rests, waiting = True, []
            elif event.role == "user":
                found.update(waiting)
                waiting = []
                if is_command(event.text):
                    (waiting.append if rests else found.add)(number)
                elif is_interruption(event.text):
                    rests = True
                elif _is_said(event.text):
                    rests = False
    return found.union(waiting)
