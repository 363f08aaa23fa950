"""What an agent's words say of what it lacks: contents, results or files that are referred to and not there."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.speech.acts import Act
from analyzer.speech.heard import heard
from analyzer.text.clip import clip
from analyzer.timeline.closing.ending import final_text

_LONGEST = 8_000
"""Characters of one message that are listened to: what is longer is a document."""


def words_of(event: Action | Message) -> str:
    """What the agent says with an event: a message of its own said aloud, or the text of the call that ends the
    session."""
    if isinstance(event, Message):
        return event.text[:_LONGEST] if event.role == "assistant" and not event.thought else ""
    return final_text(event)


def said_missing(text: str, *, asks: bool = False) -> Iterator[tuple[str, str]]:
    """The sentences that say that something isn't there, clipped and as written; `asks` also takes those that ask for
    it."""
    wanted = (Act.LACKS, Act.ASKS_FOR_INPUT) if asks else (Act.LACKS,)
    for said in heard(text):
        if said.does(*wanted):
            yield clip(said.quote, 300), said.quote[:600]
