"""Sentences by which an agent says that a failure isn't one of its own change."""

from __future__ import annotations

import re

from analyzer.detectors.signals.speech import sentences
from analyzer.text.clip import clip
from analyzer.text.late import late

SETS_ASIDE = late(
    r"\bgit\s+(?:stash\b(?!\s+(?:list|show|drop))|bisect\b|worktree\s+\w|(?:checkout|switch)\s+(?:-(?=\s|$)|HEAD"
    r"|main\b|master\b|origin/|[0-9a-f]{7,40}\b))"
)
"""Calls by which a change is put aside, so that what runs next runs without it."""
_CHANGE = (
    r"(?:my|our|the|this|these|those|any|what (?:I|we))\b[^.;\n]{0,30}\b(?:chang|edit|fix|work|modif|patch|did|made)"
)
_EXCUSE = late(
    r"\bun-?related\b|(?:\bnot|n't|\bnever)(?: \w+){0,2} "
    r"(?:related|connected|due|caused|introduced|triggered|affected)\b"
    r"|\bpre-?(?:existing|dates?)\b|\bnothing to do with\b|\bindependent of (?:my|our|the|this|these)\b"
    r"|\b(?:already|previously|also) (?:fail\w*|broken|red|there|present|exist\w*)(?! (?:test|to)\b)"
    r"|\b(?:fail\w*|broken|red|present|there) (?:before|even without|without|on (?:main|master|trunk|HEAD))\b"
    rf"|\bnot (?:because of|from|a (?:result|consequence) of) {_CHANGE}"
    r"|\b(?:known|existing|old|separate) (?:test )?(?:failure|issue|problem|bug|flake)s?\b",
    re.IGNORECASE,
)
_OF_A_FAILURE = late(
    r"\bfail|\berror|\btests?\b|\bissues?\b|\bproblems?\b|\bbroken\b|\bthat\b|\bthose\b|\bthese\b", re.IGNORECASE
)
_DENIED = late(
    r"(?:\bnot|\bnever|n['’]t) (?:\w+ )?$"
    r"|(?:\bnot|\bnever|n['’]t|\bcannot) (?:say|claim|tell|think|believe|be sure|prove|show)\b[^.;\n]{0,80}$",
    re.IGNORECASE,
)
"""What stands before an excuse that isn't made."""
_NO_VERDICT = late(
    r"\?|\b(?:if|whether|check|verify|confirm|determine|make sure|find out|let me see|might|may|could|must (?:not )?be"
    r"|should (?:not )?be|unless|I(?:'ll| will| need| should| want)|(?:let's|let me) (?:see|look|run|check|stash))\b",
    re.IGNORECASE,
)
_WORDS = ("relat", "connect", "due", "caus", "introduc", "trigger", "affect", "exist", "date", "nothing", "independ")
_MORE = (
    "already",
    "previously",
    "also",
    "before",
    "without",
    " on ",
    "because",
    "from",
    "result",
    "known",
    "old",
    "sep",
)


def dismissal(text: str) -> str | None:
    """The first sentence in which an agent says that what fails has nothing to do with its change. A guess that is
    still to be looked into, a question and a condition are none."""
    low = text.casefold()
    if not any(word in low for word in (*_WORDS, *_MORE)):
        return None
    before = ""
    for sentence in sentences(text):
        words, earlier = sentence.words[:600], before
        before = words
        found = _EXCUSE.search(words)
        if found is None or _NO_VERDICT.search(words) is not None or _DENIED.search(words[: found.start()]) is not None:
            continue
        if "fail" in f"{earlier} {words}".casefold() or _OF_A_FAILURE.search(words) is not None:
            return clip(sentence.quote, 300)
    return None
