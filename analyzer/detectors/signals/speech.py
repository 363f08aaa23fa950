"""What an agent says in its own words: sentence by sentence, without the code, quotes and lists of requirements in
between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from analyzer.model.action import Action
from analyzer.model.session import Message
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


@dataclass(slots=True, frozen=True)
class Sentence:
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
