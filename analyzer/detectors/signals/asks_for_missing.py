"""Last words in which the agent says that something the task names isn't there, and asks for it."""

from __future__ import annotations

from analyzer.detectors.signals.speech import sentences
from analyzer.text.late import late

_ABSENT = late(
    r"(?i)\bdo(?:es)?(?:n't| not) (?:seem to |appear to )?exist\b"
    r"|\b(?:is|are|was|were)(?:n't| not) (?:present|there|found|available|accessible|located)\b"
    r"|\b(?:could|can)(?:n't|not| not) (?:be )?(?:found|find|located?|accessed)\b|\bunable to (?:find|locate)\b"
    r"|\b(?:is|are|was|were|remains?) (?:still )?(?:empty|missing)\b"
)
_ASKS = late(
    r"(?i)\b(?:please|(?:could|can|would) you)\b[^.!?\n]{0,80}\b(?:verify|provide|ensure|make sure|check|confirm|share"
    r"|upload|send|place|supply|clarify|let me know)\b|\blet me know\b"
    r"|\bonce (?:the|it|they|these|those)\b[^.\n]{0,60}\b(?:available|in place|there|provided|present)\b"
)
_NAME = late(r"(?:[\w.-]{0,80}/){1,20}[\w.-]{1,80}|[\w-]{1,80}\.[A-Za-z]\w{0,7}\b")
_ABOUT_PRESENCE = late(r"(?i)\b(?:exists?|whether|is there|are there|check (?:if|that)|find out|where is|locate)\b")
"""What a task says that asks whether something is there: then the answer does the task."""


def missing_and_asked_for(closing: str, task: str) -> str | None:
    """The sentence that says what is missing, where a sentence asks for it; None where the task asks whether it's
    there."""
    said = list(sentences(closing))
    if _ABOUT_PRESENCE.search(task[:4_000]) or not any(_ASKS.search(sentence.quote) for sentence in said):
        return None
    for sentence in said:
        if _ABSENT.search(sentence.words[:500]) is None:
            continue
        names = {found.rstrip("./").rsplit("/", 1)[-1] for found in _NAME.findall(sentence.quote[:1_000])}
        if any(len(name) > 2 and name in task for name in names):
            return sentence.quote
    return None
