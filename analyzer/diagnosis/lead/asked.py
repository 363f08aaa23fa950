"""What the user asked for, in order and in the user's own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.diagnosis.case import Case
from analyzer.model.diagnosis import Statement
from analyzer.model.session import Message, ToolCall
from analyzer.model.session_summary import UserTurnRow
from analyzer.model.words import MAIN_LANE, TurnKind
from analyzer.task.prose import own_words
from analyzer.text.clip import clip_words

_MOST_TURNS = 4
_LONGEST_TASK = 260
_LONGEST_TURN = 110


def asked(case: Case, turns: Sequence[UserTurnRow]) -> Iterator[Statement]:
    """The task, then what the user said later, each with the step before which it was said."""
    task = own_words((case.timeline.session.task or _first_words(case)).strip())
    if task:
        yield Statement(part="asked", text=f'"{clip_words(task, _LONGEST_TASK)}"', steps=[1][: len(case.lane)])
    elif any(message.unrecorded and message.role == "user" for message in case.timeline.messages) and len(turns) == 0:
        yield Statement(part="asked", text="The words of the request aren't recorded.", steps=[1][: len(case.lane)])
    weighty = [turn for turn in turns if turn.kind is not TurnKind.OTHER]
    shown = weighty if len(turns) > _MOST_TURNS and weighty else turns
    for turn in shown[:_MOST_TURNS]:
        after = turn.before_step > len(case.timeline.lane())
        where = "At the end" if after else f"Before step {turn.before_step}"
        kind = "" if turn.kind is TurnKind.OTHER else f" ({turn.kind})"
        yield Statement(
            part="asked",
            text=f'{where}{kind}: "{clip_words(turn.text, _LONGEST_TURN)}"',
            steps=[turn.before_step - after],
        )


def _first_words(case: Case) -> str:
    """What the user said before the first action; empty where that is not recorded."""
    for event in case.timeline.session.events:
        if isinstance(event, ToolCall):
            return ""
        if isinstance(event, Message) and event.role == "user" and event.lane == MAIN_LANE:
            return event.text
    return ""
