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
from analyzer.timeline.closing.ending import final_text

_LONGEST = 8_000
"""Characters of one message that are listened to: what is longer is a document."""
_REMEMBERED, _MOST_REMEMBERED = 64, 30_000
"""So many texts of so many characters are remembered with their sentences: several rules read each message."""
_FENCE = late(r"^[ \t]{0,8}(?:```|~~~)")
_NOT_SAID = late(r"^[ \t]{0,20}(?:>|#|\||[-*+] ?\[[ xX]?\])|^(?: {4}|\t)(?![ \t]*(?:[-*+•]|\d{1,2}\.) )")
_QUOTED = late(r"`[^`\n]{0,300}`|\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”")
_BLOCK = late(r"<(?P<tag>summary|example|task|issue|plan)\b[^>]{0,80}>.{0,8000}?</(?P=tag)>", re.DOTALL)
_END = late(r"(?=[)*_;\s])(?:(?<=[.!?])[)*_]{0,3}\s+|\n+|;\s+)")


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
    kept, fenced = [], False
    # A quotation ends with its line at the latest, so that all of them are found at once.
    quoted = _QUOTED.sub(lambda found: "…" * len(found[0]), text)
    for line, said in zip(text.split("\n"), quoted.split("\n"), strict=True):
        fence = _FENCE.match(line) is not None
        fenced = fenced != fence
        unsaid = fence or fenced or _NOT_SAID.match(line) is not None
        kept.append(" " * len(line) if unsaid else said)
    return "\n".join(kept).replace("’", "'")


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
    words, start = own_words(text), 0
    ends = [(end.start(), end.end()) for end in _END.finditer(words)]
    found = []
    for stop, after in (*ends, (len(words), len(words))):
        if words[start:stop].strip():
            found.append(Sentence(words[start:stop].strip(), " ".join(text[start:stop].split()), after))
        start = after
    return tuple(found)
