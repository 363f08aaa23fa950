"""What an agent's words say of what it lacks: contents, results or files that are referred to and not there."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.speech.acts import Act
from analyzer.speech.heard import first_with, heard
from analyzer.text.clip import clip
from analyzer.text.late import late
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


_NAME = late(r"(?:[\w.-]{0,80}/){1,20}[\w.-]{1,80}|[\w-]{1,80}\.[A-Za-z]\w{0,7}\b")
_ABOUT_PRESENCE = late(r"(?i)\b(?:exists?|whether|is there|are there|check (?:if|that)|find out|where is|locate)\b")
"""What a task says that asks whether something is there: then the answer does the task."""


def missing_and_asked_for(closing: str, task: str) -> str | None:
    """The sentence that says what is missing, where a sentence asks for it; None where the task asks whether it's
    there."""
    if _ABOUT_PRESENCE.search(task[:4_000]) or first_with(closing, Act.ASKS_TO_SUPPLY, Act.ASKS) is None:
        return None
    for said in heard(closing):
        if said.does(Act.ABSENT):
            names = {found.rstrip("./").rsplit("/", 1)[-1] for found in _NAME.findall(said.quote[:1_000])}
            if any(len(name) > 2 and name in task for name in names):
                return said.quote
    return None
