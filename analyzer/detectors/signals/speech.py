"""What an agent's words say of what it lacks, and whether the user asks for something new: what was looked at before is
looked at again for that."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.speech.acts import Act
from analyzer.speech.heard import first_with, heard
from analyzer.task.turns import read_turn
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


_MATTER = (
    r"(?:contents?|outputs?|results?|code|files?|data|logs?|diff|findings|analysis|summary|information|text|lists?)"
)
REFERS_TO_EARLIER = late(
    r"(?i)\b(?:above|previous|earlier|aforementioned|attached|these|those|provided|following)\b[^.\n]{0,40}"
    rf"\b{_MATTER}\b|\b(?:the|this|that) (?:\w+ )?{_MATTER} (?:above|from|I|we)\b"
)


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


_HEARD_MOST = 50
"""Words of the user that are remembered."""


class Requests:
    """Follows what the user says in one lane."""

    def __init__(self) -> None:
        self._heard: deque[str] = deque(maxlen=_HEARD_MOST)

    def take(self, message: Message) -> bool:
        """Take the next message; whether it's a request of the user that was not made before. An approval, a word to
        go on and a command to the program around the agent ask for nothing new."""
        if message.role != "user" or message.thought:
            return False
        text = message.text[:_LONGEST].strip()
        words = " ".join(text.split())
        if not words or words in self._heard:
            return False
        self._heard.append(words)
        return not read_turn(text).approves and not (words.startswith("/") and len(words.split()) == 1)
