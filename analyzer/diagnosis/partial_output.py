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
    return recorded <= sum(used) and any(_too_long(texts, tokens) for texts, tokens in _counted(session))


def _counted(session: Session) -> Iterator[tuple[list[str], int]]:
    """What each answer says aloud and sends to tools, with its tokens, as far as these are counted.

    The calls and the words up to the next result are one answer, unless the calls were sent apart or each has a count.
    """
    answers: dict[str, _Answer] = {}
    for event in session.events:
        known = answers.get(event.lane)
        if not _answers(event):
            if known is not None:
                yield from known.counted()
            answers.pop(event.lane, None)
            continue
        usage, batch = event.usage, event.batch if isinstance(event, ToolCall) else None
        tokens = None if usage is None else usage.tokens.output
        if known is not None and known.ends_before(tokens, batch):
            yield from known.counted()
            known = None
        if known is None:
            known = answers[event.lane] = _Answer()
        known.take(_texts(event) if not (isinstance(event, Message) and event.thought) else (), tokens, batch)
    for known in answers.values():
        yield from known.counted()


class _Answer:
    def __init__(self) -> None:
        self._texts: list[str] = []
        self._tokens: int | None = None
        self._batch: str | None = None

    def ends_before(self, tokens: int | None, batch: str | None) -> bool:
        """Whether what has these tokens and this batch belongs to another answer."""
        apart = self._batch is not None and batch != self._batch
        return apart or (tokens is not None and self._tokens is not None)

    def take(self, texts: Iterator[str] | tuple[()], tokens: int | None, batch: str | None) -> None:
        """Take in a part of the answer."""
        self._texts.extend(texts)
        self._tokens = tokens if self._tokens is None else self._tokens
        self._batch = batch or self._batch

    def counted(self) -> Iterator[tuple[list[str], int]]:
        """The answer, where its tokens are counted."""
        if self._tokens is not None:
            yield self._texts, self._tokens


def _too_long(texts: list[str], tokens: int) -> bool:
    most = max(_LEAST, _MOST_PER_TOKEN * tokens)
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
