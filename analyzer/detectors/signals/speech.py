"""What an agent says in its own words: sentence by sentence, without the code, quotes and lists of requirements in
between.

Sentences that say that an input is missing: contents, results or files that are referred to and not there.

Last words in which the agent says that something the task names isn't there, and asks for it.

Whether the user asks for something new: what was looked at before is looked at again for that."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache

from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.model.struct import Struct
from analyzer.task.turns import read_turn
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import without_fences
from analyzer.text.sentences import sentences as split
from analyzer.timeline.closing.ending import final_text

_LONGEST = 8_000
"""Characters of one message that are listened to: what is longer is a document."""
_REMEMBERED, _MOST_REMEMBERED = 64, 30_000
"""So many texts of so many characters are remembered with their sentences: several rules read each message."""
_NOT_SAID = late(r"^[ \t]{0,20}(?:>|#|\||[-*+] ?\[[ xX]?\])|^(?: {4}|\t)(?![ \t]*(?:[-*+•]|\d{1,2}\.) )")
_QUOTED = late(r"`[^`\n]{0,300}`|\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”")
_BLOCK = late(r"<(?P<tag>summary|example|task|issue|plan)\b[^>]{0,80}>.{0,8000}?</(?P=tag)>", re.DOTALL)


def words_of(event: Action | Message) -> str:
    """What the agent says with an event: a message of its own said aloud, or the text of the call that ends the
    session."""
    if isinstance(event, Message):
        return event.text[:_LONGEST] if event.role == "assistant" and not event.thought else ""
    return final_text(event)


def own_words(text: str) -> str:
    """`text` with blocks of code, quoted lines, headings, tables and check lists blanked and quoted text made
    dots, each character at its place."""
    if "<" in text:
        text = _BLOCK.sub(lambda found: " " * len(found[0]), text)
    # A quotation ends with its line at the latest, so that all of them are found at once.
    quoted = _QUOTED.sub(lambda found: "·" * len(found[0]), without_fences(text))
    said = (" " * len(line) if _NOT_SAID.match(line) is not None else line for line in quoted.split("\n"))
    return "\n".join(said).replace("’", "'")


class Sentence(Struct, frozen=True):
    """One sentence: its own words, the same as written, and where the next one begins."""

    words: str
    quote: str
    end: int


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text."""
    yield from _sentences(text) if len(text) <= _MOST_REMEMBERED else _sentences.__wrapped__(text)


@lru_cache(maxsize=_REMEMBERED)
def _sentences(text: str) -> tuple[Sentence, ...]:
    words = own_words(text)
    return tuple(
        Sentence(words[found.start : found.end].strip(), " ".join(text[found.start : found.end].split()), found.end)
        for found in split(words)
    )


_THING = (
    r"(?:contents?|outputs?|results?|source(?: code)?|code|files?|data|logs?|diff|error (?:message|output)|findings"
    r"|analysis|summary|information|context|input|document|text|lists?|tables?|attachments?)"
)
_MISSING = late(
    r"\bI (?:do not|don't|no longer|do not currently|don't currently|still don't) (?:actually )?have (?:access "
    rf"to )?(?:the |any |your |that |those )?(?:\w+ ){{0,3}}{_THING}\b"
    r"|\bI (?:do not|don't|can't|cannot) see (?:any|an|the) (?:\w+ )?(?:attached|attachments?|previous|earlier"
    rf"|prior|file attached|files attached|{_THING} (?:attached|in (?:our|this) conversation|above|in your "
    r"message))"
    rf"|\b(?:there (?:are|is|were|was)|I (?:see|have|find|was given)) no (?:previous|earlier|prior|attached) {_THING}"
    rf"|\b(?:the )?(?:previous|earlier|prior) {_THING} (?:(?:is|are|was|were) )?(?:not available|no longer "
    r"(?:available|visible|in)|lost|missing|not (?:shown|included|in (?:my|the) context))"
    rf"|\bno {_THING} (?:of (?:the |any )?(?:previous|earlier|prior) \w+ )?(?:was|were|has been|have been) "
    r"(?:provided|included|attached|shared|passed)\b"
    rf"|\bthe {_THING} (?:(?:was|were|is|are|has|have) not|(?:wasn't|weren't|isn't|aren't|hasn't|haven't)) "
    r"(?:been )?(?:provided|included|attached|shared|passed)\b"
    r"|\b(?:you (?:didn't|did not|haven't|have not) (?:provide|provided|include|included|attach|attached|share"
    rf"|shared|paste|pasted)) (?:the |any |me )?(?:\w+ ){{0,2}}{_THING}"
    r"|\b(?:which|what) (?:file|document|results?|output|code) (?:do you mean|are you referring to|did you mean"
    r"|you (?:mean|are referring to))\b"
    r"|\bI(?:'ve| have) lost (?:the |track of )(?:\w+ ){0,2}(?:context|contents?|output|results?)\b",
    re.IGNORECASE,
)
_ASKS = late(
    (
        r"\b(?:please|could you|can you|you(?:'ll| will)? need to) (?:please )?(?:provide|share|paste|send|attach"
        rf"|include) (?:me )?(?:with )?(?:the |your |any )?(?:\w+ ){{0,3}}{_THING}\b"
    ),
    re.IGNORECASE,
)
_PART = late(
    (
        r"\b(?:rest|full|complete|whole|remaining|entire|all|enough|more|exact|latest|current|updated|new|recent|real"
        r"|actual|yet|if|when|once|unless|permission|credentials?|license)\b"
    ),
    re.IGNORECASE,
)
_REFERS = late(
    (
        r"\b(?:above|previous|earlier|aforementioned|attached|these|those|provided|following)\b[^.\n]"
        rf"{{0,40}}\b{_THING}\b|\b(?:the|this|that) (?:\w+ )?{_THING} (?:above|from (?:the )?(?:previous|step"
        r"|earlier)|I (?:found|collected|read|gathered)|we (?:have|found|gathered))"
    ),
    re.IGNORECASE,
)


def asks_for_input(words: str) -> bool:
    """Whether somebody is asked to supply contents, files or results."""
    return _ASKS.search(words) is not None


def says_absent(words: str) -> bool:
    """Whether a sentence says that something isn't there, or asks for it in so many words."""
    asks = _ASKS_TO_SUPPLY.search(words)
    return _ABSENT.search(words) is not None or (asks is not None and not asks[0].lower().startswith(("let", "once")))


def said_missing(text: str, *, asks: bool = False) -> Iterator[tuple[str, str]]:
    """The sentences that say that something isn't there, as written and in own words; `asks` also takes those that ask
    for it."""
    for sentence in sentences(text):
        words = sentence.words[:400]
        found = _MISSING.search(words) or (_ASKS.search(words) if asks else None)
        if found and not _PART.search(words, max(0, found.start() - 60), found.end() + 30):
            yield clip(sentence.quote, 300), sentence.quote[:600]


def refers_to_earlier(text: str) -> bool:
    """Whether a text refers to contents or results that stand before it."""
    return _REFERS.search(text) is not None


_ABSENT = late(
    r"(?i)\bdo(?:es)?(?:n't| not) (?:seem to |appear to )?exist\b"
    r"|\b(?:is|are|was|were)(?:n't| not) (?:present|there|found|available|accessible|located)\b"
    r"|\b(?:could|can)(?:n't|not| not) (?:be )?(?:found|find|located?|accessed)\b|\bunable to (?:find|locate)\b"
    r"|\b(?:is|are|was|were|remains?) (?:still )?(?:empty|missing)\b"
)
_ASKS_TO_SUPPLY = late(
    r"(?i)\b(?:please|(?:could|can|would) you)\b[^.!?\n]{0,80}\b(?:verify|provide|ensure|make sure|check|confirm|share"
    r"|upload|send|place|supply|clarify|specify|tell|let me know)\b|\blet me know\b"
    r"|\bonce (?:the|it|they|these|those)\b[^.\n]{0,60}\b(?:available|in place|there|provided|present)\b"
)
_NAME = late(r"(?:[\w.-]{0,80}/){1,20}[\w.-]{1,80}|[\w-]{1,80}\.[A-Za-z]\w{0,7}\b")
_ABOUT_PRESENCE = late(r"(?i)\b(?:exists?|whether|is there|are there|check (?:if|that)|find out|where is|locate)\b")
"""What a task says that asks whether something is there: then the answer does the task."""


def missing_and_asked_for(closing: str, task: str) -> str | None:
    """The sentence that says what is missing, where a sentence asks for it; None where the task asks whether it's
    there."""
    said = list(sentences(closing))
    if _ABOUT_PRESENCE.search(task[:4_000]) or not any(_ASKS_TO_SUPPLY.search(sentence.quote) for sentence in said):
        return None
    for sentence in said:
        if _ABSENT.search(sentence.words[:500]) is None:
            continue
        names = {found.rstrip("./").rsplit("/", 1)[-1] for found in _NAME.findall(sentence.quote[:1_000])}
        if any(len(name) > 2 and name in task for name in names):
            return sentence.quote
    return None


_HEARD_MOST = 50
"""Words of the user that are remembered."""
_LONGEST_REQUEST = 8_000
"""Characters of a message that are read."""


class Requests:
    """Follows what the user says in one lane."""

    def __init__(self) -> None:
        self._heard: deque[str] = deque(maxlen=_HEARD_MOST)

    def take(self, message: Message) -> bool:
        """Take the next message; whether it's a request of the user that was not made before. An approval, a word to
        go on and a command to the program around the agent ask for nothing new."""
        if message.role != "user" or message.thought:
            return False
        text = message.text[:_LONGEST_REQUEST].strip()
        words = " ".join(text.split())
        if not words or words in self._heard:
            return False
        self._heard.append(words)
        return not read_turn(text).approves and not (words.startswith("/") and len(words.split()) == 1)
