"""What somebody says in a text: their own sentences with their acts, without what is pasted, quoted or shown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from analyzer.model.struct import Struct
from analyzer.speech.acts import Act, acts_of
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import without_fences
from analyzer.text.sentences import sentences as split

HIDDEN = "·"
"""The mark in `Said.words` in place of each character of a quotation or of code."""
_REMEMBERED, _MOST_REMEMBERED = 512, 30_000
"""So many texts of so many characters are remembered with their sentences: several rules read each message."""
_SHOWN = late(r"^[ \t]{0,20}(?:>|#|\||[-*+] ?\[[ xX]?\])|^(?: {4}|\t)(?![ \t]*(?:[-*+•]|\d{1,2}\.) )")
"""A line that shows something: a quotation, a heading, a table's row, a list of tasks, code."""
_QUOTED = late(r"`[^`\n]{0,300}`|\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”")
_BLOCK = late(r"<(?P<tag>summary|example|task|issue|plan)\b[^>]{0,80}>(?:(?!<(?P=tag)\b).){0,8000}?</(?P=tag)>", 16)


class Said(Struct, frozen=True):
    """One sentence of the agent: its own words, the same as written, and where the next one begins."""

    words: str
    quote: str
    end: int

    def does(self, *acts: Act) -> bool:
        """Whether the sentence does one of some acts."""
        return bool(acts_of(self.quote, among=frozenset(acts)))


def own_words(text: str) -> str:
    """`text` with blocks of code, quoted lines, headings, tables and check lists blanked and quoted text made
    dots, each character at its place."""
    if "<" in text:
        text = _BLOCK.sub(lambda found: " " * len(found[0]), text)
    # A quotation ends with its line at the latest, so that all of them are found at once.
    quoted = _QUOTED.sub(lambda found: HIDDEN * len(found[0]), without_fences(text))
    said = (" " * len(line) if _SHOWN.match(line) is not None else line for line in quoted.split("\n"))
    return "\n".join(said).replace("’", "'")


def heard(text: str) -> tuple[Said, ...]:
    """The sentences of what an agent says; a message within JSON has its ends of lines written out."""
    text = text.replace("\\n", " \n") if text.lstrip()[:1] == "{" else text
    return _heard(text) if len(text) <= _MOST_REMEMBERED else _heard.__wrapped__(text)


@lru_cache(maxsize=_REMEMBERED)
def _heard(text: str) -> tuple[Said, ...]:
    words = own_words(text)
    return tuple(
        Said(words[found.start : found.end].strip(), " ".join(text[found.start : found.end].split()), found.end)
        for found in split(words)
    )


def first_with(text: str, *acts: Act) -> str | None:
    """The first sentence of an agent's text that does one of some acts, as it's written."""
    return next((said.quote for said in heard(text) if said.does(*acts)), None)


def said_missing(text: str, *, asks: bool = False) -> Iterator[tuple[str, str]]:
    """The sentences that say that something isn't there, clipped and as written; `asks` also takes those that ask for
    it."""
    wanted = (Act.LACKS, Act.ASKS_FOR_INPUT) if asks else (Act.LACKS,)
    for said in heard(text):
        if said.does(*wanted):
            yield clip(said.quote, 300), said.quote[:600]
