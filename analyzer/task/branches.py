"""Branches that a task foresees: what to do when somebody says no."""

from __future__ import annotations

import re

from analyzer.task.prose import sentences
from analyzer.text.late import late

_IF_REFUSED = late(
    r"\b(?:if|when|in case|should|unless|whenever|once)\b[^.\n]{0,80}?"
    r"\b(?:(?:is|are|was|does|do|did|has|have)(?:n['’]t| not) (?:be |been )?"
    r"(?:approv|accept|confirm|agree|allow|grant)\w*"
    r"|not (?:approved|accepted|confirmed|allowed|granted)|(?:reject|declin|den(?:y|ie)|refus|disapprov|veto)\w*"
    r"|says? no)\b"
    r"|\b(?:on|upon|after|in case of) (?:a |the )?(?:rejection|refusal|denial|disapproval)\b"
    r"|\bunless\b[^.\n]{0,60}\b(?:approv|accept|confirm|agree|allow)\w*",
    2,
)


_WORD = late(r"approv|accept|confirm|agree|allow|grant|reject|declin|den[yi]|refus|veto|says? no", re.IGNORECASE)
"""What is in each of these sentences."""


def foresees_refusal(task: str) -> bool:
    """Whether a task says what to do when something that is asked for is refused."""
    return any(_WORD.search(sentence) and _IF_REFUSED.search(sentence) for sentence in sentences(task))
