"""The agent's reason for running nothing, where it never tried to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.detectors.signals.never_run import is_loud
from analyzer.model.action import Action
from analyzer.model.words import RUN_NOTHING
from analyzer.text.clip import clip_words
from analyzer.text.late import late
from analyzer.text.sentences import sentences

EXCUSE = "the agent's reason"
"""What the evidence is called that quotes it."""
_RUNS = r"(?:run|rerun|execute|test|build|compile|verify|check)"
_CANNOT = (
    r"(?:can(?:no|['’])t|can not|could(?: not|n['’]t)|(?:am|are|is|was|were)(?: not|n['’]t)? (?:un)?able to|unable to)"
)
_OWN = late(
    rf"\b(?:I|we)\b (?:\w+ ){{0,2}}?{_CANNOT} (?:\w+ )?{_RUNS}\b"
    rf"|\b(?:I|we)\b (?:have|had) no (?:way|means|ability|tools?|access) (?:\w+ ){{0,2}}?to {_RUNS}\b",
    re.IGNORECASE,
)
_HERE = late(
    rf"(?:\b{_CANNOT}|\b(?:not|im|n['’]t) ?possible to|\bno way to) (?:\w+ )?{_RUNS}\b[^.\n]{{0,80}}"
    r"\b(?:here|in (?:this|the (?:current|given)) (?:\w+ )?(?:environment|sandbox|session|setup|context|shell))\b",
    re.IGNORECASE,
)
_ABLE = late(r"\b(?:am|are|is|was|were) able to\b", re.IGNORECASE)
_DEPENDS = late(r"\b(?:if|unless|until|otherwise|whether|you|users?)\b", re.IGNORECASE)
"""Words of a sentence that speaks of another case, or of somebody else."""
_LONGEST = 200
_REACH = 8_000


def reason_for_no_check(text: str, actions: Sequence[Action]) -> str | None:
    """The sentence in which the agent says that it can't run anything; None where it says no such thing, or where any
    of its calls ran something, or may have."""
    if not all(_ran_nothing(action) for action in actions):
        return None
    for said in (sentence.text for sentence in sentences(text[-_REACH:])):
        if _DEPENDS.search(said) is None and _ABLE.search(said) is None and (_OWN.search(said) or _HERE.search(said)):
            return clip_words(said, _LONGEST)
    return None


def _ran_nothing(action: Action) -> bool:
    return action.kind in RUN_NOTHING and not any(map(is_loud, action.operation.commands))
