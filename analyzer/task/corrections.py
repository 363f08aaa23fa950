"""Where the user corrects the agent: what was said before is said again, or what was done is said to be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from analyzer.model.struct import Struct
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
    r"^(?:(?:no|nope|sorry|again|but|please|i (?:said|meant))\b[\s,.:!-]{0,3}){0,3}(?:(?:use|with|in"
    r"|it[’']?s"
    r"|run|take)\s+)?"
    + _NAME.format("wanted")
    + r"(?:\s*,?\s+not|\s*,\s+no)\s+"
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
_SAID = late(
    r"(?:^|[,;:.!…-]\s*|\b(?:but|as|like|no|when)\s+)i(?:[’']?ve| have)?\s+(?:just\s+|already\s+|clearly\s+"
    r"|explicitly\s+){0,2}(?:said|told you|asked (?:you )?(?:for|to|not)|meant)\b(?!\s+(?:yes|hi|hello|thanks))"
    r"|^(?:once )?again\s*[:,]\s*\w|^(?:like|as) i (?:said|asked|told you)\b|^how (?:many times|often) ",
    re.IGNORECASE,
)
_STILL = late(
    r"\b(?:still|again)\s+(?:is\s+|it[’']?s\s+|get(?:s|ting)?\s+|see(?:s|ing)?\s+|ha(?:s|ve|ving)\s+|shows?\s+){0,2}"
    r"(?:the |a |an |this |that |those |these )?(?:same\s+)?(?:broken|fail(?:s|ing|ed)?|crash(?:es|ing)?|wrong|red"
    r"|not (?:work\w*|fixed|right|correct|there|show\w*|see\w*|load\w*)|doesn[’']?t|don[’']?t work|does not|isn[’']?t"
    r"|errors?|missing|the case|happening)\b"
    r"|\b(?:is|are|does|do|it|that)(?:n[’']?t| not)? still (?:not )?(?:work\w*|broken|fail\w*)\b"
    r"|^(?:it |that |this )?(?:still )?(?:doesn[’']?t|does not|didn[’']?t|did not) work\b|^not (?:working|fixed)\b"
    r"|\b(?:same|error messages?|problem|issue) (?:error |problem |issue )?(?:persists?|remains?|is back|again)\b"
    r"|^nothing (?:happen(?:s|ed)|changed)\b|^(?:the )?same (?:error|problem|issue)\b",
    re.IGNORECASE,
)
_WRONG = late(
    r"^(?:no[,.]? |hmm+[,.]? |nope[,.]? )?(?:that|this|it)(?:[’']?s| is| was)(?:n[’']?t| not)? (?:the wrong|wrong\b"
    r"|(?:what|how|where) i (?:asked|meant|wanted|said))"
    r"|^(?:no[,.]? )?(?:that|this|it)(?:[’']s not| is not| isn[’']?t| was not| wasn[’']?t) (?:right|correct|it\b"
    r"|(?:what|how|where) i)"
    r"|^not what i (?:asked|meant|wanted)|^wrong (?:one|file|folder|directory|branch|place|button|way|test|line)\b"
    r"|^(?:no[,.]? |but |hmm[,.]? )?you (?:have |[’']ve )?(?:just |accidentally )?(?:removed|deleted|changed|edited"
    r"|fixed"
    r"|renamed|moved|picked|used|touched|updated|opened|ran|tested) the wrong\b"
    r"|^(?:no[,.]? |but |hmm[,.]? )?you (?:have |[’']ve |just |also |completely ){0,2}(?:missed|forgot|forgotten"
    r"|ignored"
    r"|overlooked|broke|broken|misunderstood|misread|skipped)\b"
    r"|^(?:no[,.]? |but )?you (?:didn[’']?t|did not|haven[’']?t|never) (?:do|add|change|update|fix|remove|run|test|read"
    r"|follow|include|implement|finish|listen)\b"
    r"|^not the \w+(?: \w+){0,3}[.,!]"
    r"|^(?:well|yeah|yes|hmm+|ok|okay|so)?[,.!… ]{0,4}(?:you|one)(?:[’']?d| would| might)(?: have)? (?:think|thought"
    r"|expect(?:ed)?|hoped?|assumed?) (?:so|that|it)\b[^.!?]{0,20}\bbut\b",
    re.IGNORECASE,
)
_ASKS_BACK = late(r"^(?:why|what|how|when|where|who|which|do|does|did|can|could|should|is|are|will|would)\b.*\?\s*$")
_CONDITIONAL = late(r"^(?:if|when|in case|make sure|check (?:if|that|whether)|unless|until)\b(?! i\b)", re.IGNORECASE)


def corrections_of(text: str, *, answers: bool = False) -> Iterator[Correction]:
    """The corrections in one turn of the user, at most one for each sentence.

    `answers` says that the agent had asked something, so that a "no" is an answer.
    """
    if len(text) > _MOST_CHARACTERS:
        return
    for sentence in sentences(text):
        if len(sentence) <= _LONGEST and _CONDITIONAL.match(sentence) is None:
            found = _of_sentence(sentence, answers=answers)
            if found is not None:
                yield found


def _of_sentence(sentence: str, *, answers: bool) -> Correction | None:
    asks_back = _ASKS_BACK.match(sentence.lower()) is not None
    if not asks_back and _STILL.search(sentence) is not None:
        return Correction(CorrectionKind.STILL_WRONG, sentence)
    found = _INSTEAD.match(sentence)
    if found is not None and _things(found["wanted"], found["unwanted"]):
        return Correction(CorrectionKind.INSTEAD, sentence, found["wanted"], found["unwanted"])
    if asks_back:
        return None
    if _WRONG.search(sentence) is not None:
        return Correction(CorrectionKind.WRONG, sentence)
    if (said := _SAID.search(sentence)) is not None and not (answers and said[0].endswith("meant")):
        return Correction(CorrectionKind.SAID_BEFORE, sentence)
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
