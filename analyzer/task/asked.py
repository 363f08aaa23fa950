"""The turns of the user, each with the steps that the agent took on it."""

from __future__ import annotations

from analyzer.model.session import Message, Session, ToolCall
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE
from analyzer.task.turns import UserTurn, asks, read_turn


class Asked(Struct, frozen=True):
    """One turn of the user, with the steps that the agent took on it: the number of the first, and of the one after
    the last."""

    turn: UserTurn
    first: int
    end: int


def asked_in(session: Session) -> list[Asked]:
    """The turns of the user in the main lane, in order, each with its steps."""
    turns: list[tuple[UserTurn, int]] = []
    step, question = 1, False
    for event in session.events:
        if event.lane != MAIN_LANE:
            continue
        if isinstance(event, ToolCall):
            step += 1
        elif isinstance(event, Message) and not event.thought:
            if event.role == "user":
                turns.append((read_turn(event.text, answers=question), step))
            elif event.role == "assistant":
                question = asks(event.text)
    ends = [*(first for _, first in turns), step][1:]
    return [Asked(turn, first, end) for (turn, first), end in zip(turns, ends, strict=True)]
