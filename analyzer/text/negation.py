"""Whether a sentence says something, or that it isn't so."""

from __future__ import annotations

import re

from analyzer.text.late import late

_NOT = r"not(?! only\b| just\b)|never|neither|nothing|no longer|hardly|barely"
_DENIES = late(rf"\b(?:{_NOT}|none|nobody|nowhere)\b|n['’]t\b", re.IGNORECASE)
"""What denies all that follows in a clause."""
_INSIDE = late(rf"\b(?:{_NOT}|no|almost|nearly|partly|partially)\b|n['’]t\b", re.IGNORECASE)
"""What denies a match that it stands in."""
_NONE_OF = late(r"\bno (?!doubt\b|question\b|wonder\b)(?:[\w-]+ ){0,3}$", re.IGNORECASE)
_CLAUSE_ENDS = late(r"[.;:!?\n,()—]|\b(?:but|and|so|though|although|while|yet|however|because|since)\b", re.IGNORECASE)
_RELATIVE = late(r"\b(?:where|that|which|who|whose|when)\b", re.IGNORECASE)
"""What opens a clause about the subject: a denial within it ("the bug that the value was not saved") denies nothing
else."""
_REACH = 80
"""Characters before the words in which a denial of them is looked for."""


def is_affirmed(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match that nothing denies: no word within it ("is not working"), and none before it in the same clause
    ("nothing is done", "no file was changed")."""
    return next((found for found in pattern.finditer(text) if not _denied(found, text)), None)


def _denied(found: re.Match[str], text: str) -> bool:
    before = text[max(0, found.start() - _REACH) : found.start()]
    ends = [end.end() for end in _CLAUSE_ENDS.finditer(before)]
    clause = before[ends[-1] :] if ends else before
    denial = _DENIES.search(clause)
    denies = denial is not None and _RELATIVE.search(clause[: denial.start()]) is None
    return bool(_INSIDE.search(found[0]) or denies or _NONE_OF.search(clause))
