"""Whether somebody wanted an effect: the user, the instructions, or nobody; or whether the user forbade it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from functools import cache

from analyzer.detectors.signals.outward.effect import OutwardKind
from analyzer.task.prohibitions import CONDITION, NEVER
from analyzer.task.prose import sentences
from analyzer.text.late import late

_MOST = 50
_LONGEST = 60_000
_SPLIT = late(r"(?<=[.!?;])\s+|\n+")


class Leave:
    """What was said about effects outside, as far as it was recorded."""

    def __init__(self, task: str) -> None:
        self._user: deque[str] = deque(maxlen=_MOST)
        self._others: deque[str] = deque(maxlen=_MOST)
        if task:
            self.user(task)

    @property
    def known(self) -> bool:
        """Whether any words of a user are recorded."""
        return bool(self._user)

    def user(self, text: str) -> None:
        """Take a turn of the user."""
        self._user.append(text[:_LONGEST])

    def other(self, text: str) -> None:
        """Take what the system prompt or the harness says, or a proposal that the user approved."""
        self._others.append(text[:_LONGEST])

    def said(self) -> tuple[str, ...]:
        """The turns of the user that are kept."""
        return tuple(self._user)

    def asked(self, kind: OutwardKind) -> bool:
        """Whether somebody asked for such an effect, or approved it."""
        words = _compiled(kind.words)
        own = (sentence for text in self._user for sentence in _SPLIT.split(text))
        others = (sentence for text in self._others for sentence in _SPLIT.split(text))
        return any(
            words.search(sentence) is not None and (NEVER.search(sentence) is None)
            for part in (own, others)
            for sentence in part
        )

    def mentions(self, name: str) -> bool:
        """Whether somebody named a thing (a host, a tool)."""
        return bool(name) and any(name in text for text in (*self._user, *self._others))

    def forbidden(self, kind: OutwardKind) -> str | None:
        """The user's sentence that forbids such an effect and that no later one takes back; None where there's none."""
        if not kind.forbids:
            return None
        verb, wanted = _compiled(kind.forbids), _compiled(kind.words)
        quote: str | None = None
        for sentence in self._sentences():
            never = NEVER.search(sentence)
            if never is None:
                quote = None if quote is not None and wanted.search(sentence) else quote
            elif verb.match(sentence[never.end() :].lstrip()) and CONDITION.search(sentence[never.start() :]) is None:
                quote = sentence
        return quote

    def _sentences(self) -> Iterator[str]:
        for text in self._user:
            yield from sentences(text)


@cache
def _compiled(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)
