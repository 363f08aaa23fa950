"""One turn of the user, read: what is asked for, what is named, forbidden, corrected and approved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from analyzer.task.corrections import Correction, corrections_of
from analyzer.task.prose import prose, sentences
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
        return _APPROVES.match(prose(self.text).strip()) is not None


_OPENS = (
    r"^(?:(?:please|now|then|also|and|ok(?:ay)?|great|so|next|can you|could you|would you|will you|you (?:should|must"
    r"|need to|can)|i(?:[’']d| would)? (?:want|like|need) you to|let[’']?s|your (?:task|job|goal) is to|go ahead and"
    r"|help me|help me to|try to|first|just)\b[\s,:]{0,3}){0,4}"
)
_REVIEWS = late(_OPENS + r"(?:review|audit|assess|critique|evaluate|check over|look over|proofread)\b", re.IGNORECASE)
_FILES = late(
    _OPENS + r"(?:write|create|generate|produce|draft|save|export)\b[^.\n]{0,60}?\b(?:file|report"
    r"|document|summary"
    r"|readme|changelog|script|notebook|csv|spreadsheet|plan|adr|letter|e-?mail)\b",
    re.IGNORECASE,
)
_RUNS = late(
    _OPENS + r"(?:run|re-?run|execute|start|launch|commit|push|deploy|publish|release|install|send|merge|open a (?:pr"
    r"|pull request))\b",
    re.IGNORECASE,
)
_CHANGES = late(
    _OPENS
    + r"(?:fix|add|implement|change|update|refactor|rename|remove|delete|move|make|replace|rewrite|improve|convert"
    r"|migrate"
    r"|port|upgrade|clean up|simplify|extract|split|optimi[sz]e|support|resolve|solve|repair|integrate|set up|configure"
    r"|swap|adjust|reduce|increase|enable|disable|redesign|polish)\b",
    re.IGNORECASE,
)
_QUESTIONS = late(
    r"^(?:what|why|how|when|where|who|which|whose|is|are|was|were|does|do|did|has|have|should|would|could|can (?!you\b)"
    r"|explain|tell me|describe|show me)\b|\?\s*$",
    re.IGNORECASE,
)
_APPROVES = late(
    r"^(?:(?:yes|yep|yeah|yup|ok(?:ay)?|sure|please do|do it|go ahead|go for it|sounds good|looks good|lgtm|perfect"
    r"|great"
    r"|continue|proceed|approved?|confirmed?|correct|right|exactly|all good|that works|please|thanks|thank you|it"
    r"|that|so"
    r"|y)\b[\s,.!]*){1,6}$",
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
        if _REVIEWS.match(sentence):
            yield Request.REVIEW
        elif _FILES.match(sentence):
            yield Request.FILE
        elif _RUNS.match(sentence):
            yield Request.RUN
        elif _CHANGES.match(sentence):
            yield Request.CHANGE
        elif _QUESTIONS.search(sentence):
            yield Request.ANSWER
