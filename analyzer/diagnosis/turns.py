"""What the user said after the first action."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.session import Message, Session, ToolCall
from analyzer.model.session_summary import UserTurnRow
from analyzer.model.words import MAIN_LANE, TurnKind
from analyzer.task import UserTurn, read_turn
from analyzer.task.prose import is_interruption, own_words
from analyzer.task.turns import asks
from analyzer.text.clip import clip_words

_LONGEST = 400


def later_turns(session: Session) -> Iterator[UserTurnRow]:
    """The turns of the user that came after the first action, each once, with the step before which it was said."""
    step, asked, heard = 0, False, set[str]()
    for event in session.events:
        if event.lane != MAIN_LANE:
            continue
        if isinstance(event, ToolCall):
            step += 1
        elif isinstance(event, Message) and not event.thought:
            words = " ".join(event.text.split())
            if event.role == "assistant":
                asked = asks(event.text)
            elif event.role == "user" and words and words not in heard and not is_interruption(words):
                heard.add(words)
                if step:
                    turn = read_turn(event.text, answers=asked)
                    yield UserTurnRow(
                        before_step=step + 1,
                        kind=kind_of(turn),
                        text=clip_words(" ".join(own_words(event.text).split()), _LONGEST),
                    )


def kind_of(turn: UserTurn) -> TurnKind:
    """What the user does in a turn."""
    if turn.corrections:
        return TurnKind.CORRECTION
    if turn.approves:
        return TurnKind.APPROVAL
    return TurnKind.REQUEST if turn.requests else TurnKind.OTHER
