"""What an agent says in its own words: sentence by sentence, without the code, quotes and lists of wishes in between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.model.words import Kind

_LONGEST = 8_000
"""Characters of one message that are listened to: what is longer is a document."""
_FENCE = re.compile(r"^[ \t]{0,8}(?:```|~~~)")
_NOT_SAID = re.compile(r"^[ \t]{0,20}(?:>|#|\||[-*+] ?\[[ xX]?\])|^(?: {4}|\t)(?![ \t]*(?:[-*+•]|\d{1,2}\.) )")
_QUOTED = re.compile(r"`[^`\n]{0,300}`|\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”")
_BLOCK = re.compile(r"<(?P<tag>summary|example|task|issue|plan)\b[^>]{0,80}>.{0,8000}?</(?P=tag)>", re.DOTALL)
_END = re.compile(r"(?<=[.!?])[)*_]{0,3}\s+|\n+|;\s+")


def words_of(event: Action | Message) -> str:
    """What the agent says with an event: a message of its own said aloud, or the text of the call that ends the session."""
    if isinstance(event, Message):
        return event.text[:_LONGEST] if event.role == "assistant" and not event.thought else ""
    if event.kind is not Kind.FINISH or event.harness:
        return ""
    if isinstance(event.arguments, Mapping):
        return "\n".join(value[:_LONGEST] for value in event.arguments.values() if isinstance(value, str))[:_LONGEST]
    return event.arguments[:_LONGEST]


def own_words(text: str) -> str:
    """`text` without blocks of code, quoted lines, headings, tables and check lists; quotes and code spans become an ellipsis."""
    if "<" in text:
        text = _BLOCK.sub("", text)
    kept, fenced = [], False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not _NOT_SAID.match(line):
            kept.append(_QUOTED.sub("…", line))
    return "\n".join(kept).replace("’", "'")


def sentences(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a text, each with the offset at which it ends."""
    start = 0
    for end in _END.finditer(text):
        if sentence := text[start : end.start()].strip():
            yield sentence, end.end()
        start = end.end()
    if sentence := text[start:].strip():
        yield sentence, len(text)
