"""Short last words that answer what was asked: a question, or a look at something."""

from __future__ import annotations

import re

from analyzer.diagnosis.end import End
from analyzer.task.asked import asked_in
from analyzer.task.prose import sentences
from analyzer.task.turns import Request, UserTurn, read_turn
from analyzer.text.late import late

_LONGEST_REQUEST = 400
"""Characters of a request from which on a short answer may leave a part of it out."""
_LOOKS = late(
    r"^(?:please |now |then |just |(?:can|could|would|will) you (?:please )?)*"
    r"(?:check|show|list|print|display|count|look up|find out|tell me|name|explain|describe)\b(?! that\b)",
    re.IGNORECASE,
)
_POLITE = late(
    r"^(?:please |now |then |so |and )*(?:can|could|would|will|shall|should|may) (?:you|we|i|it)\b", re.IGNORECASE
)
"""How a request for a change can be put as a question."""
_DOES = late(
    r"\b(?:and|then|,|;|&)\s+(?:please |then |also )*(?:fix|add|implement|change|update|refactor|rename|remove|delete"
    r"|move|make|replace|rewrite|write|create|run|install|commit|push|start|restart|build|test|improve|correct|save)\b",
    re.IGNORECASE,
)
_DEFERS = late(
    r"[?？]|\b(?:I['’]ll|I will|I['’]m going|let me|going to|about to|will (?:be|take|now)|(?:may|might|could|can) take"
    r"|(?:a|one) moment|shortly|starting|in progress|still (?:running|working|loading)|running now|wait|later|not yet"
    r"|please (?:provide|specify|share|tell|give|try|check|confirm)|working on|stand by|hold on|next step)\b",
    re.IGNORECASE,
)
"""Words that put an answer off, or ask for something."""
_CANNOT = late(
    r"n['’]t\b|\b(?:cannot|can not|could not|unable|not able|not sure|unsure|unclear|unknown|no idea|failed|fails"
    r"|error|sorry|unfortunately|refus\w+|not allowed|don['’]t know)\b",
    re.IGNORECASE,
)
"""Words of somebody who has no answer. Some answers have them, too: of those it isn't known."""
_EMPTY = late(
    r"^\W*(?:done|ok(?:ay)?|sure|hello|hi|hey|great|understood|got it|noted|of course|certainly|absolutely|thanks?"
    r"|thank you|you['’]re welcome|welcome|ready|finished|completed?|all set|task (?:is )?(?:done|complete\w*)"
    r"|looking|checking|searching|i['’]?(?:ve| have) (?:looked|checked|searched|read|finished|completed))\b",
    re.IGNORECASE,
)


def answers_shortly(end: End) -> bool:
    """Whether the last words answer what the user asked last, as far as their form shows it; whether the answer is
    right isn't known by that."""
    words = end.closing_message
    asked = _asked(end)
    if words is None or words.handed_in or words.sign_off or asked is None or not _is_question(asked):
        return False
    said = end.closing.strip()
    return not any(pattern.search(said) for pattern in (_DEFERS, _CANNOT, _EMPTY))


def _asked(end: End) -> UserTurn | None:
    turns = [entry.turn for entry in asked_in(end.session) if entry.turn.text.strip()]
    if turns:
        return turns[-1]
    return read_turn(end.session.task) if end.session.task else None


def _is_question(turn: UserTurn) -> bool:
    """Whether a turn does nothing but ask, in a question or by what is to be looked at."""
    text = turn.text.strip()
    if len(text) > _LONGEST_REQUEST or turn.approves or turn.corrections:
        return False
    parts = list(sentences(text))
    if not parts or _DOES.search(text) is not None:
        return False
    looks = [_LOOKS.match(part) is not None for part in parts]
    if any(_POLITE.match(part) is not None and not look for part, look in zip(parts, looks, strict=True)):
        return False
    return all(looks) or turn.requests == {Request.ANSWER}
