"""The turns of the user: what was said at once, the actions that followed, and what the agent answered."""

from __future__ import annotations

from analyzer.model.session import Message, Session, ToolCall
from analyzer.model.struct import Struct, field
from analyzer.model.words import MAIN_LANE
from analyzer.task.prose import is_command, is_interruption, prose
from analyzer.task.turns import UserTurn, asks, read_turn

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
                if turns and not spoken and _in_a_row(turns[-1].time, event.time):
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


def _in_a_row(before: float | None, now: float | None) -> bool:
    return before is None or now is None or abs(now - before) <= _IN_A_ROW


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
