"""Whether the recorded output is less than what the agent wrote.

A log that keeps what the model's service reports at the start of an answer has a count of one or a few tokens for it,
however long it becomes. One such answer is enough: then the sum is a lower bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from analyzer.model.session import Event, Message, Session, ToolCall
from analyzer.text.expressions import compiled

_MOST_PER_TOKEN = 12
"""Characters that a token stands for at most, on average over a session or an answer; English text and code have three
to five. Only runs of one character, such as a rule or an indentation, have more."""
_LEAST = 24
"""Characters of an answer up to which nothing is said of its count: it may be one long name."""
_RUN = compiled(r"(.)\1{3,}", re.DOTALL)


def output_is_partial(session: Session) -> bool:
    """Whether all that the agent said and sent to tools is too long for the tokens that are counted for it, or one of
    its answers is for its own, where the sum is that of the answers."""
    recorded = session.tokens.output
    if recorded is None:
        return False
    if sum(len(text) for event in session.events for text in _texts(event)) > _MOST_PER_TOKEN * recorded:
        return True
    used = [event.usage.tokens.output or 0 for event in session.events if _answers(event) and event.usage is not None]
    # A larger total was counted apart from the answers, and says nothing of how.
    return recorded <= sum(used) and any(map(_too_long, session.events))


def _too_long(event: Event) -> bool:
    """Whether a part of an answer says aloud and sends to tools more than the tokens counted for it can stand for."""
    if not _answers(event) or event.usage is None or event.usage.tokens.output is None:
        return False
    texts = list(_texts(event))
    most = max(_LEAST, _MOST_PER_TOKEN * event.usage.tokens.output)
    return sum(map(len, texts)) > most and sum(len(_RUN.sub(r"\1", text)) for text in texts) > most


def _answers(event: Event) -> TypeGuard[Message | ToolCall]:
    """Whether an event is a part of what the model answered."""
    if isinstance(event, Message):
        return event.role == "assistant"
    return isinstance(event, ToolCall) and not event.harness


def _texts(event: Event) -> Iterator[str]:
    if isinstance(event, Message) and event.role == "assistant":
        yield event.text
    elif isinstance(event, ToolCall):
        values = event.arguments.values() if isinstance(event.arguments, Mapping) else (event.arguments,)
        yield from (value for value in values if isinstance(value, str))
