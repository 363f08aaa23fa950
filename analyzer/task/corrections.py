"""Where the user corrects the agent: what was said before is said again, or what was done is said to be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from analyzer.model.struct import Struct
from analyzer.speech.acts import Act, acts_of
from analyzer.task.prose import sentences
from analyzer.text.late import late
from analyzer.text.names import name_set

_LONGEST = 400
"""A correction is short; a longer sentence describes something."""
_MOST_CHARACTERS = 4_000
"""A turn that is longer is a new task, with sentences about what its program does wrong."""


class CorrectionKind(StrEnum):
    """How the user corrects."""

    INSTEAD = "instead"
    """Another thing than the one that was used: "pnpm, not npm"."""
    SAID_BEFORE = "said-before"
    """It had been said: "I said", "again:"."""
    STILL_WRONG = "still-wrong"
    """What was to be repaired isn't: "still broken"."""
    WRONG = "wrong"
    """What was done isn't what was meant: "you removed the wrong one"."""


class Correction(Struct, frozen=True):
    """One correction: the user's sentence to the letter, and of one that names both, what is wanted and what isn't."""

    kind: CorrectionKind
    quote: str
    wanted: str | None = None
    unwanted: str | None = None


_NAME = r"[`'\"“]?(?P<{}>[\w@./+-]*\w)[`'\"”]?"
_INSTEAD = late(
    r"^(?:(?:no|nope|sorry|again|but|please|i (?:said|meant))\b[\s,.:!-]{0,3}){0,3}"
    r"(?:(?:(?:(?:we|i) (?:only |always )?)?(?:use|want|need)|with|in|it[’']?s|run|take)\s+)?"
    + _NAME.format("wanted")
    + r"(?:\s+(?:here|(?:in|for) (?:this|the|our|my) \w+))?(?:\s*,?\s+not|\s*,\s+no)\s+"
    + _NAME.format("unwanted")
    + r"\s*[.!]*$",
    re.IGNORECASE,
)
_NO_BUT = late(
    r"^(?:no|nope)\s*[,.!:;—–-]+\s*(?:(?:please\s+)?(?:use|take|run)\s+)?" + _NAME.format("wanted") + r"\s*[.!]*$",
    re.IGNORECASE,
)
_POLITE = name_set(
    "thanks thank no nothing sorry stop wait all yes please continue go ok okay that this it never later maybe none "
    "really problem worries nope"
)
_NOT_A_THING = name_set(
    "still just also even probably certainly "
    "definitely working done ready why what sure yet now really only so too maybe here "
    "there if or and but than do did is"
)
_BY_ACT = {
    Act.STILL_WRONG: CorrectionKind.STILL_WRONG,
    Act.WRONG: CorrectionKind.WRONG,
    Act.SAID_BEFORE: CorrectionKind.SAID_BEFORE,
}
_CORRECTS = frozenset(_BY_ACT)


def corrections_of(text: str, *, answers: bool = False) -> Iterator[Correction]:
    """The corrections in one turn of the user, at most one for each sentence.

    `answers` says that the agent had asked something, so that a "no" is an answer.
    """
    if len(text) > _MOST_CHARACTERS:
        return
    for sentence in sentences(text):
        if len(sentence) <= _LONGEST:
            found = _of_sentence(sentence, answers=answers)
            if found is not None:
                yield found


def _of_sentence(sentence: str, *, answers: bool) -> Correction | None:
    found = _INSTEAD.match(sentence)
    if found is not None and _things(found["wanted"], found["unwanted"]):
        return Correction(CorrectionKind.INSTEAD, sentence, found["wanted"], found["unwanted"])
    acts = acts_of(sentence, "user", _CORRECTS)
    kind = next((kind for act, kind in _BY_ACT.items() if act in acts), None)
    answer = answers and (sentence.lower().startswith("no") or "meant" in sentence)
    if kind is not None and not (answer and kind is not CorrectionKind.STILL_WRONG):
        return Correction(kind, sentence)
    found = None if answers else _NO_BUT.match(sentence)
    if found is not None and _things(found["wanted"]):
        return Correction(CorrectionKind.INSTEAD, sentence, found["wanted"])
    return None


def _things(*names: str) -> bool:
    """Whether the words may be names of things that one can choose between."""
    return all(
        len(name) > 1 and name.lower() not in _POLITE and name.lower() not in _NOT_A_THING and not name.isdigit()
        for name in names
    )
