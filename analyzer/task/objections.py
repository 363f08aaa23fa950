"""What a user says against an answer."""

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


def objects(text: str) -> bool:
    """Whether what a user says, after an answer, speaks against that answer."""
    first = next(iter(sentences(own_words(text))), "")
    return _OBJECTS.search(first) is not None or (not first.endswith(":") and _BUT.search(first) is not None)
