"""What was said, sent and received at each step: the texts that a report opens, beside what it says of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from analyzer.model.struct import Struct, field

LONGEST = 60_000
"""How many characters of one text are kept."""


LONGEST_TURN = 600
"""Characters of something that was said in the conversation of a page; the steps have all of it."""
_MOST_TURNS = 400
"""Things said that a conversation has at most."""


class Text(Struct, frozen=True):
    """A text, the middle of which may be left out: `omitted` characters are missing between `head` and `tail`."""

    head: str
    tail: str = ""
    omitted: int = 0

    @classmethod
    def of(cls, text: str, limit: int = LONGEST) -> Text:
        """`text` with at most `limit` characters, two thirds of them from its beginning.

        What follows the gap begins with a line, or some words into a long one: the half of a secret, or the value of a
        setting whose name is missing, couldn't be known for one.
        """
        if len(text) <= limit:
            return cls(text)
        tail = limit // 3
        head, end = text[: limit - tail], text[len(text) - tail :]
        end = end[_whole(end) :]
        return cls(head, end, len(text) - len(head) - len(end))

    def __len__(self) -> int:
        return len(self.head) + len(self.tail)

    def cut(self, limit: int) -> Text:
        """The same with at most `limit` characters."""
        if len(self) <= limit:
            return self
        tail = limit // 3
        end = self.tail or self.head
        return Text(self.head[: limit - tail], end[len(end) - tail :] if tail else "", self.omitted + len(self) - limit)


_NEAR = 500
_WORDS = re.compile(r"(?:\S*\s+){3}")
"""As many as a setting of three parts has: `password = secret`."""


def _whole(text: str) -> int:
    """Where the first whole line of a text begins that starts anywhere in one, or the fourth word where no line ends
    near; 0 for one huge word."""
    line = text.find("\n", 0, _NEAR)
    if line >= 0:
        return line + 1
    words = _WORDS.match(text, 0, _NEAR)
    return words.end() if words is not None else 0


class StepText(Struct, frozen=True):
    """One step. `user` is what the user said since the step before, `said` what the agent said or thought; `call` has
    the arguments by name, in the order in which they were sent, under an empty name where they have none. `result` is
    None where none was recorded."""

    step: int
    lane: str
    call: tuple[tuple[str, Text], ...]
    result: Text | None
    said: Text | None = None
    user: tuple[Text, ...] = ()

    def texts(self) -> Iterator[Text]:
        """All of them."""
        yield from self.user
        yield from (text for _, text in self.call)
        yield from (text for text in (self.said, self.result) if text is not None)


def some_turns(turns: list[Turn]) -> tuple[list[Turn], int]:
    """The first and the last things that were said, as many as a page has, and how many are left out."""
    half = _MOST_TURNS // 2
    return (turns, 0) if len(turns) <= _MOST_TURNS else ([*turns[:half], *turns[-half:]], len(turns) - 2 * half)


def water_level(sizes: Iterable[tuple[int, int]], room: int, least: int) -> int:
    """The largest common limit, of `least` or more, under which texts of these sizes fit into `room` together. A size
    comes with its weight: a text of weight 3 may be three times as long as the limit. Without limit it's the largest
    size."""
    known = sorted((size / weight, size, weight) for size, weight in sizes)
    weights = sum(weight for _, _, weight in known)
    for ratio, size, weight in known:
        if ratio * weights > room:
            return max(least, int(room / weights))
        room -= size
        weights -= weight
    return max((size for _, size, _ in known), default=least)


class Turn(Struct, frozen=True):
    """Something that was said in the main lane: by the user or by the agent, before which of its steps (one more than
    the last for what came at the end). `tokens` are those of the model's call that said this and asked for no tool."""

    role: Literal["user", "assistant"]
    before: int
    text: Text
    tokens: int | None = None


class Recording(Struct, frozen=True):
    """The texts of one session, step by step as in the post-mortem's timeline, the agent's closing words, and what was
    said in the main lane, in its order; of long conversations `turns_left_out` from the middle are missing."""

    steps: list[StepText] = field(default_factory=list)
    closing: Text | None = None
    turns: list[Turn] = field(default_factory=list)
    turns_left_out: int = 0
