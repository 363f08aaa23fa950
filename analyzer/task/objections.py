"""What a user says against an answer, what an agent takes back, and how a user asks for what was offered."""

from __future__ import annotations

import re

from analyzer.task.prose import own_words, sentences
from analyzer.text.late import late

_LEAD = r"^(?:(?:well|hm+|um+|u+h+|yea?h?|yep|ok(?:ay)?|sure|sorry|wait|actually|ah)\b[\s,.!…-]*){0,3}"
_OBJECTS = late(
    _LEAD + r"(?:but (?!first\b|also\b|before\b|please\b|now\b|then\b|why (?!would\b))"
    r"|no\b[,.! ]+(?!problem|worries|need|thanks)|nope\b"
    r"|(?:that|this|it)(?:['’]s| is| was) (?:still )?(?:not (?:right|true|correct|what|how|the|it)|wrong|incorrect"
    r"|false)\b"
    r"|(?:that|this|it)(?: is|['’]s| was| does| did)?n['’]t (?:right|true|correct|what|how|work|make|happen)\w*"
    r"|(?:it|that|this)(?:['’]s| is)? still\b"
    r"|(?:still|doesn['’]t|does not|didn['’]t|did not) (?:work|fail|broken|the same|wrong)\w*"
    r"|you(?:['’]d| would) think\b|you(?:['’]re| are) wrong\b|are you sure\b|why would\b)",
    re.IGNORECASE,
)
_BUT = late(
    r"^[^.?!\n]{0,60}\bbut (?:i|it|that|this|there|they|we|shouldn['’]t|isn['’]t|doesn['’]t|wasn['’]t|the)\b",
    re.IGNORECASE,
)
_TAKES_BACK = late(
    r"\b(?:you(?:['’]re| are) (?:absolutely |completely |quite )?right[,.! ]{1,3}(?:I|my|that was|the earlier|this)\b"
    r"|I was (?:wrong|mistaken|incorrect)|my (?:earlier|previous|first) (?:answer|claim|statement|analysis|explanation)"
    r" (?:was|is) (?:wrong|incorrect|mistaken)|I stand corrected|I made a mistake|I misread|I misstated"
    r"|(?:sorry|apologi[sz]e)[^.\n]{0,60}\b(?:wrong|mistake|incorrect|confus\w+|misread|error))\b",
    re.IGNORECASE,
)
_STUCK = late(
    r"\b(?:are you (?:stuck|still (?:there|here|alive|working|running|on it)|there|dead|hanging|frozen|alive)"
    r"|did you (?:crash|hang|freeze|get stuck)|is it stuck)\b|\bstill (?:there|working|alive) ?\?|^hello ?\?+\s*\Z",
    re.IGNORECASE,
)
_SHORT = 200
"""Characters of a message that only asks whether the agent is still at work, or only agrees."""


def objects(text: str) -> bool:
    """Whether what a user says, after an answer, speaks against that answer."""
    first = next(iter(sentences(own_words(text))), "")
    return _OBJECTS.search(first) is not None or (not first.endswith(":") and _BUT.search(first) is not None)


def takes_back(text: str) -> str | None:
    """The words by which an agent takes an answer back; None where it doesn't."""
    return next((sentence for sentence in sentences(text) if _TAKES_BACK.search(sentence) is not None), None)


def asks_whether_stuck(text: str) -> bool:
    """Whether a short message asks if the agent is still at work."""
    return len(text) <= _SHORT and _STUCK.search(text.strip()) is not None
