"""What an agent's last words are, to the letter: what it handed in, or the last thing that it said aloud."""

from __future__ import annotations

import re
from collections.abc import Mapping

from analyzer.model.action import Action
from analyzer.model.session import Message, ToolCall
from analyzer.model.struct import Struct
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.timeline.closing.ending import VERDICTS, is_command_line
from analyzer.timeline.timeline import Timeline

_SIGN_OFF = late(r"\W{0,4}(?:[A-Z]{2,12}[_ ]){0,3}(?:TERMINATED?|DONE|EXIT|STOP|END|FINISH(?:ED)?|COMPLETED?)\W{0,4}")
"""A message by which an agent only stops a conversation."""
_ANSWERS = late(
    r"(?:^|_)(?:answer|result|submission|message|summary|output|response|report|text|content)$", re.IGNORECASE
)
_OWN = late(r"(?:^|_)(?:thoughts?|reason(?:ing)?|thinking|analysis|rationale)(?:$|_)", re.IGNORECASE)
"""Arguments in which an agent reasons to itself."""
_FLAG = late(r"(?:true|false|yes|no|partial|success|failed|failure|done|completed?|\d{1,3})\Z", re.IGNORECASE)
"""Values that say how it went rather than what came out, where something else is handed over beside them."""
_LONGEST = 200_000
_WORDS_OF_A_VALUE = 3


class ClosingMessage(Struct, frozen=True):
    """`text` is to the letter what was said or handed in. `handed_in` says that the call that ends the session brings
    it, `speaker` who said it where several agents speak, `sign_off` the word that was said after it to stop."""

    text: str
    handed_in: bool = False
    speaker: str | None = None
    sign_off: str = ""

    @property
    def is_value(self) -> bool:
        """Whether a value was handed in, such as a number or a flag, rather than words about the work."""
        return self.handed_in and len(self.text.split()) <= _WORDS_OF_A_VALUE


def closing_message(timeline: Timeline, last: Action) -> ClosingMessage | None:
    """What was handed in with the last action, else the last thing with content that was said aloud after it, or, where
    it ends the session, before it; None where nothing was. What an agent thinks to itself is never among it."""
    ends = last.kind is Kind.FINISH and not last.harness
    handed = words_handed_in(timeline, last) if ends else ""
    if handed:
        return ClosingMessage(handed[:_LONGEST], handed_in=True)
    return spoken_last(timeline) or (_with_content(_before(timeline, last)) if ends else None)


def words_beside(timeline: Timeline, last: Action) -> ClosingMessage | None:
    """The last thing with content that was said aloud in the message of the last call, or right before it."""
    return _with_content(_before(timeline, last))


def spoken_last(timeline: Timeline) -> ClosingMessage | None:
    """The last thing with content that was said aloud after the last action and the user's last words."""
    return _with_content(timeline.said_last())


def _with_content(said: list[Message]) -> ClosingMessage | None:
    """The last of some messages that is more than a word to stop; the last one where all are such words."""
    spoken = [message for message in said if message.text.strip()]
    if not spoken:
        return None
    texts = [_own(message) for message in spoken]
    place = next((at for at in range(len(texts) - 1, -1, -1) if _SIGN_OFF.fullmatch(texts[at]) is None), -1)
    sign_off = texts[-1] if place not in (-1, len(texts) - 1) else ""
    return ClosingMessage(texts[place][:_LONGEST], speaker=spoken[place].speaker, sign_off=sign_off)


def _own(message: Message) -> str:
    """A message without the name that a reader puts before it."""
    text = message.text.strip()
    return text.removeprefix(f"{message.speaker}:").strip() if message.speaker is not None else text


def _before(timeline: Timeline, last: Action) -> list[Message]:
    """What was said aloud between the action before the last one and the last one; calls that were sent together with
    the last one count as one with it."""
    step, said = 0, list[Message]()
    for event in timeline.session.events:
        if event.lane != last.lane:
            continue
        if isinstance(event, ToolCall):
            step += 1
            if step == last.step:
                break
            if last.batch is None or event.batch != last.batch:
                said.clear()
        elif isinstance(event, Message) and event.role == "user":
            said.clear()
        elif isinstance(event, Message) and event.role == "assistant" and not event.thought and not event.failed:
            said.append(event)
    return said


def words_handed_in(timeline: Timeline, last: Action) -> str:
    """What the call that ends the session hands over, without the call's own name; empty where that is nothing, or a
    command line."""
    if is_command_line(timeline, last):
        return ""
    if not isinstance(last.arguments, Mapping):
        return _without_name(last.arguments, last.tool)
    command = last.operation.command
    found = {
        str(name): text
        for name, value in last.arguments.items()
        if isinstance(value, str)
        and name not in VERDICTS
        and (text := _without_name(value, last.tool))
        and _OWN.search(str(name)) is None
    }
    told = {name: text for name, text in found.items() if text != command and _FLAG.match(text) is None} or found
    named = [text for name, text in told.items() if _ANSWERS.search(name) is not None]
    return max(named or told.values(), key=len, default="")


def _without_name(text: str, tool: str) -> str:
    """A text without the name of the call, where it repeats the whole call."""
    own = text.strip()
    head, _, rest = own.partition(" ")
    return rest.strip() if head == tool else own if own != tool else ""
