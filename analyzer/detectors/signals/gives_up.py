"""Sentences in which an agent says that it didn't do the task."""

from __future__ import annotations

import re

from analyzer.detectors.signals.speech import own_words, sentences
from analyzer.text.late import late

_DO = (
    r"(?:complete|finish|accomplish|solve|fix|resolve|implement|continue|proceed|make (?:the|any|this|these|those)"
    r"|find (?:the|a|any) (?:solution|answer|cause|way|fix|flag)|answer|determine (?:the|an?) (?:answer|solution"
    r"|cause|flag))"
)
_SAYS = late(
    rf"\b(?:I|we)(?:'m| am|'re| are| was| were|'ve been| have been)? (?:\w+ ){{0,2}}(?:unable|not able) to "
    rf"(?:\w+ ){{0,2}}{_DO}\b"
    r"|\b(?:I|we) (?:\w+ )?(?:can(?:not|'t| not| no longer)|could(?:n't| not)|(?:have(?:n't| not)|had(?:n't| "
    r"not)|was(?:n't| not)|were(?:n't| not)) (?:yet )?(?:been )?(?:able to|managed to)|did(?:n't| not) manage to"
    rf"|failed to) (?:\w+ )?{_DO}\b"
    r"|\b(?:I|we)(?:'m| am|'re| are|'ll| will| have to| must)? (?:\w+ ){0,2}(?:giv(?:e|ing) up|gave up"
    r"|stop(?:ping)? here)\b"
    r"|\b(?:I|we)(?:'ve| have)?(?: \w+){0,8} (?:have(?:n't| not)|not) found (?:an?|any|the) (?:\w+ ){0,2}(?:way"
    r"|solution|cause|fix|answer|flag)\b"
    r"|\bbut (?:I |we )?cannot (?:\w+ )?(?:implement|fix|solve|complete|finish) (?:it|this|them)\b|\b(?:outside"
    r"|beyond) the (?:capabilities|reach) of (?:our|my|this|the current)\b"
    r"|\bI(?:'m| am) (?:\w+ )?(?:stuck|out of ideas)\b"
    r"|\b(?:I|we)(?:'ll| will|'d| would)? (?:\w+ )?(?:conclude|end|stop|terminate) (?:this|our|the|my) "
    r"(?:session|attempt|work|task) (?:here|now|at this point)\b"
    r"|\b(?:I|we|let me|let's)(?:'ll| will|'ve| have| can)? (?:\w+ ){0,2}(?:outline|provide|give|present|offer|describe"
    r"|propose)\w* (?:an? |the |you with an? )?(?:\w+ )?(?:conceptual|theoretical|hypothetical)\b"
    r"|\bin (?:a|an) (?:real|actual|proper|real-world|production)\b[^.\n]{0,40}\b(?:environment|scenario|setting|setup)"
    r"[^.\n]{0,30}\b(?:I|we|you|one|the next steps?) would\b"
    r"|\b(?:the|this) (?:task|request|fix|implementation|challenge) (?:was|is|has) (?:not|n't)(?: been)? (?:yet )"
    r"?(?:complete|completed|finished|solved|done)\b"
    r"|\b(?:the|this) (?:task|request|fix|implementation|challenge) (?:could|can)(?:n't|not| not) be (?:completed"
    r"|finished|solved|implemented)\b"
    r"|\b(?:FINAL ANSWER:|the answer is) (?:unable to determine|unknown|not found|undetermined|I don't know)",
    re.IGNORECASE,
)
_PLACEHOLDER = late(
    (
        r"\bI(?:'ve| have)? (?:\w+ )?(?:left|used|put|returned|added|submitted) (?:in )?(?:an? |some )?(?:\w+ )"
        r"?(?:placeholder|stub|dummy (?:value|implementation|answer)|mock implementation)s?\b"
    ),
    re.IGNORECASE,
)
_ASKS = late(
    r"\b(?:(?:could|can|would) you (?:please )?(?:provide|share|paste|show|send|give|tell)|please (?:provide"
    r"|share|paste|send|upload)) (?:me )?(?:with )?(?:the |your )?(?:\w+ ){0,3}"
    r"(?:contents?|source(?: code)?|code|file|files|path|repository structure|directory|output of|error "
    r"(?:message|output)|stack ?trace|logs?)\b",
    re.IGNORECASE,
)
_OUTSIDE = late(
    r"\b(?:tests?|testing|verif\w+|valid\w+|reproduc\w+|run|running|screenshot|push\w*|deploy\w*|publish\w*"
    r"|network|internet|credentials?|tokens?|docker|approv\w+|permissions?|polic(?:y|ies)|allowed|eligib\w+|"
    r"authori[sz]\w+|account|environment (?:issue|problem|variable)s?|browser|device|warnings?|lint\w*|rate limit"
    r"|due to (?:the )?sandbox|because of (?:the )?sandbox|earlier|initially|at first|separate|out of scope"
    r"|follow-?up|until|unless|if|without your|on your (?:own )?machine)\b",
    re.IGNORECASE,
)
_OVERCOME = late(
    (
        r"\b(?:a separate|out of scope|follow-?up|unrelated|but (?:then|now|after)|so I (?:\w+ )?(?:used|wrote"
        r"|switched|implemented|added|did)|instead,? I|however, I (?:\w+ )?(?:fixed|implemented|completed|found))\b"
    ),
    re.IGNORECASE,
)
_DONE = late(
    (
        r"\b(?:I(?:'ve| have)?|we(?:'ve| have)?) (?:\w+ )?(?:fixed|implemented|added|completed|updated|refactored"
        r"|finished)\b|\b(?:is|are|now|were|was) (?:fixed|implemented|done|complete|working)\b|\ball (?:\w+ )?tests "
        r"pass"
    ),
    re.IGNORECASE,
)
"""Where something was done, what is missing is a part of it."""


def gives_up(closing: str, *, asks: bool) -> str | None:
    """The sentence in which the agent says that it didn't do the task, or (with `asks`) in which it asks the user for a
    file or an output."""
    whole = own_words(closing)
    for sentence in sentences(closing):
        words = sentence.words[:500]
        found = _SAYS.search(words) or _PLACEHOLDER.search(words)
        if (
            found
            and not _OUTSIDE.search(words)
            and not _OVERCOME.search(f"{words} {whole[sentence.end : sentence.end + 100]}")
        ):
            return sentence.quote
        if asks and _ASKS.search(words):
            return sentence.quote
    return None


def names_something_done(words: str) -> bool:
    """Whether `words` name something that was done: what is missing is a part of it then."""
    return _DONE.search(words) is not None
