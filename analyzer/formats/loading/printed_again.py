"""Results of tools that a log holds a second time as messages of the user: what a tool printed is nobody's wish."""

from __future__ import annotations

from analyzer.formats.record.printed import own_words
from analyzer.formats.record.task_prompt import issue_of
from analyzer.model.session import Event, Message, Session, ToolResult
from analyzer.model.words import MAIN_LANE

_NEAR = 64
"""Events on either side of a message among which its results are looked for."""


def drop_printed_again(session: Session) -> None:
    """Take from the user's messages what the results right before or after them had printed, and drop the messages in
    which nothing else is said."""
    events = session.events
    kept: list[Event] = []
    changed = False
    for index, event in enumerate(events):
        if isinstance(event, Message) and event.role == "user" and (printed := _around(events, index)):
            words = own_words(event.text, printed, same_row=False)
            if words != event.text:
                changed = True
                if session.task in (event.text.strip(), issue_of(event.text)):
                    session.task = None
                if not words:
                    continue
                event.text = words
        kept.append(event)
    if changed:
        events[:] = kept
        _count_again(session)


def _around(events: list[Event], index: int) -> list[str]:
    """The results of the message's lane that stand beside it, with nothing of the agent's in between."""
    lane, found = events[index].lane, list[str]()
    for near in (range(index - 1, max(-1, index - _NEAR), -1), range(index + 1, min(len(events), index + _NEAR))):
        for event in map(events.__getitem__, near):
            if event.lane != lane or not isinstance(event, Message | ToolResult):
                break
            if isinstance(event, ToolResult):
                found.append(event.text)
            elif event.role == "assistant":
                break
    return found


def _count_again(session: Session) -> None:
    said = [
        event.text
        for event in session.events
        if isinstance(event, Message) and event.role == "user" and event.lane == MAIN_LANE
    ]
    if session.user_messages is not None:
        session.user_messages = min(session.user_messages, len(said))
    if session.task is None and said:
        session.task = issue_of(said[0])
