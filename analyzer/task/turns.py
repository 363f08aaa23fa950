"""One turn of the user, read: what is asked for, what is named, forbidden, corrected and approved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from analyzer.speech.acts import Act, acts_of, lead_verb, words_for
from analyzer.task.corrections import Correction, corrections_of
from analyzer.task.prose import sentences
from analyzer.text.late import late


class Request(StrEnum):
    """What a user can ask for."""

    CHANGE = "change"
    """The project is to be changed."""
    ANSWER = "answer"
    """A question is to be answered."""
    REVIEW = "review"
    """Something is to be looked over and judged."""
    FILE = "file"
    """A document or another single file is to be written."""
    RUN = "run"
    """Something is to be run, started, committed or sent."""


@dataclass(frozen=True)
class UserTurn:
    """What the user said at once; each part is read when it's first asked for.

    `answers` says that the agent had asked something.
    """

    text: str
    answers: bool = False

    @cached_property
    def requests(self) -> frozenset[Request]:
        """What is asked for."""
        return frozenset(_requests(self.text))

    @cached_property
    def corrections(self) -> tuple[Correction, ...]:
        """Where the agent is corrected."""
        return tuple(corrections_of(self.text, answers=self.answers))

    @cached_property
    def approves(self) -> bool:
        """True for a turn that does nothing but agree ("yes, go ahead"); what it agrees to is what the agent had said
        before it."""
        said = list(sentences(self.text))
        return bool(said) and all(acts_of(sentence, "user", _AGREES) for sentence in said)


_AGREES = frozenset({Act.ONLY_APPROVES})
_BY_VERB = {Request.REVIEW: "review", Request.RUN: "run", Request.CHANGE: "change"}
_QUESTIONS = late(
    r"^(?:what|why|how|when|where|who|which|whose|is|are|was|were|does|do|did|has|have|should|would|could|can (?!you\b)"
    r"|explain|tell me|describe|show me)\b|\?\s*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def read_turn(text: str, *, answers: bool = False) -> UserTurn:
    """What the user said in one turn: one object for all who ask, so that nothing in it is read twice."""
    return UserTurn(text, answers)


def asks(text: str) -> bool:
    """Whether what the agent said ends with a question, so that a "no" answers it."""
    return "?" in text[-300:] or "？" in text[-300:]


def _requests(text: str) -> Iterator[Request]:
    for sentence in sentences(text):
        found = request_of(sentence)
        if found is not None:
            yield found


def request_of(sentence: str) -> Request | None:
    """What one sentence asks for; None where it asks for nothing of these."""
    lead = lead_verb(sentence)
    if lead is not None and lead[0] in words_for("requests", "file") and lead[1] & set(words_for("requests", "things")):
        return Request.FILE
    kind = next((kind for kind, name in _BY_VERB.items() if lead and lead[0] in words_for("requests", name)), None)
    return kind or (Request.ANSWER if _QUESTIONS.search(sentence) else None)
