"""Sentences in which an agent says that it didn't do the task.

How an agent stands to its work in its last words: whether it says that something was done, puts it off, or takes for
granted that it works. What decides is the sort of the clause: who does what to which part of the work.
"""

from __future__ import annotations

import re

from analyzer.detectors.signals.speech import asks_for_input, own_words, sentences
from analyzer.text.late import late
from analyzer.text.sentences import is_affirmed

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
    r"|\b(?:FINAL ANSWER:|the answer is) (?:unable to determine|unknown|not found|undetermined|I don't know)"
    r"|\bI(?:'ve| have)? (?:\w+ )?(?:left|used|put|returned|added|submitted) (?:in )?(?:an? |some )?(?:\w+ )?"
    r"(?:placeholder|stub|dummy (?:value|implementation|answer)|mock implementation)s?\b",
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


_WORK_DONE = late(
    r"\b(?:I(?:'ve| have)?|we(?:'ve| have)?) (?:\w+ )?(?:fixed|implemented|added|completed|updated|refactored"
    r"|finished)\b|\b(?:is|are|now|were|was) (?:fixed|implemented|done|complete|working)\b|\ball (?:\w+ )?tests "
    r"pass",
    re.IGNORECASE,
)
"""What names a part of the work itself that is done, rather than any action: the rest is what is missing then."""


def gives_up(closing: str, *, asks: bool) -> str | None:
    """The sentence in which the agent says that it didn't do the task, or (with `asks`) in which it asks the user for a
    file or an output."""
    whole = own_words(closing)
    for sentence in sentences(closing):
        words = sentence.words[:500]
        found = _SAYS.search(words)
        if (
            found
            and not _OUTSIDE.search(words)
            and not _OVERCOME.search(f"{words} {whole[sentence.end : sentence.end + 100]}")
        ):
            return sentence.quote
        if asks and asks_for_input(words):
            return sentence.quote
    return None


_WORK = (
    r"(?:modif(?:y|ying|ications?)|chang(?:e|es|ing)|edit(?:s|ing)?|fix(?:es|ing)?|implement(?:ing|ations?)?"
    r"|proceed(?:ing)?|continu(?:e|ing)|address(?:ing)?|resolv(?:e|ing)|patch(?:es|ing)?|refactor(?:ing)?"
    r"|solv(?:e|ing)|solutions?|tackl(?:e|ing)|complet(?:e|ing|ion)|attempt(?:s|ing)?)"
)
_UNWISE = (
    r"(?:premature|imprudent|unwise|inadvisable|too (?:risky|early|complex|invasive|soon)|(?:not|n't) (?:\w+ )?"
    r"(?:advisable|appropriate|feasible|practical|prudent|safe|wise|possible))"
)
_OTHERS = (
    r"(?:(?:the|a|your|other|broader|wider|core|more|senior|fellow|some) (?:\w+ ){0,2}(?:team|maintainers?|developers?"
    r"|community|experts?|colleagues?|stakeholders?|engineers?|specialists?|authors?)|someone (?:else|who|with))"
)
_FUTURE = r"(?:would|will|may|might|could|should|must|to|needs?|requires?|let(?:'s| us))"
_PUTS_OFF = (
    late(
        rf"\b{_WORK}\b[^.;\n]{{0,80}}\b{_UNWISE}\b|\b{_UNWISE}\b[^.;\n]{{0,40}}\b{_WORK}\b"
        rf"|^\w{{3,14}}ing\b[^.;\n]{{0,60}}\b(?:be|is|seems?) {_UNWISE}\b",
        re.IGNORECASE,
    ),
    late(
        r"\b(?:conclud|end|stop|clos|halt|terminat|wrap|wrapp)(?:e|es|s|ing|ping)?(?: up)? (?:(?!that\b)\w+ )?"
        r"(?:this|our|the|my) (?:\w+ )?(?:session|investigation|attempt|exploration|effort|analysis|work)\b",
        re.IGNORECASE,
    ),
    late(
        rf"\b{_FUTURE}\b[^.;\n]{{0,60}}\b(?:consult|discuss|bring|escalate|defer|refer|hand|leave|report|share|present"
        rf"|involve|ask)(?:ing)?\b[^.;\n]{{0,60}}\b{_OTHERS}\b",
        re.IGNORECASE,
    ),
    late(
        r"\b(?:fix|issue|problem|bug|task|change|solution|this|it|implementation|that)\w* (?:likely |probably |also )?"
        r"(?:would|will|may|might) (?:\w+ )?(?:require|need|involve|necessitate|take)\w* (?:an? |some |much |the )?"
        r"(?:\w+ )?(?:further|more|additional|deeper|careful|broader|extensive|in-depth|thorough|detailed|closer) \w+",
        re.IGNORECASE,
    ),
)
"""Clauses that put the work off, the plainest first: it's unwise, the attempt ends, others are to decide, more is
needed."""
_ASSUMES = late(
    r"\b(?:I|we|let's|let us)\b[^.\n]{0,40}?\b(?:proceed|go on|continue|submit)\w* (?:with|on|under) the assumption\b"
    r"|\b(?:I|we)(?:'ll| will| can(?: only)?| have to| must| shall|'m going to| am| are)? (?:\w+ )?"
    r"(?:assum|presum|trust|hop)(?:e|es|ed|ing)? (?:that )?(?:(?!you\b|your\b)\w+ ){0,5}"
    r"(?:should|will|would|now|resolv\w+|fix\w*|works?|correct|is|are)\b"
    r"|\bassuming (?:that )?(?:they|it|this|these|the (?:changes?|fix(?:es)?|edits?)) (?:\w+ ){0,2}"
    r"(?:resolv\w+|fix\w*|works?|address\w*|correct)\b",
    re.IGNORECASE,
)
_ABOUT_USER = late(r"\byou(?:r|'d|'re)?\b|\?\s*$", re.IGNORECASE)
_SAYS_DONE = late(
    r"\b(?:is|are|has been|have been|was|were|now|been) (?:\w+ )?(?:fixed|resolved|completed?|done|implemented|working"
    r"|ready|added|updated|applied|changed|solved|addressed|handled|verified|finished|created|removed|written|corrected"
    r"|refactored)\b"
    r"|\b(?:I|we)(?:'ve| have)? (?:\w+ )?(?:fixed|resolved|implemented|completed|added|updated|refactored|changed|made"
    r"|created|wrote|written|removed|applied|corrected|addressed|moved|renamed|modified|replaced|finished|extended|put"
    r"|edited|solved|set up|built|verified)\b"
    r"|\bsuccessfully\b|\b(?:all|both|the|every) (?:\w+ ){0,3}(?:tests?|checks?|specs?) (?:now )?"
    r"(?:pass(?:es|ed)?|succeed)"
    r"|\bworks? (?:now|as expected|as intended|correctly|fine|again)\b|\b(?:task|work|change|fix) complete\b"
    r"|^\W{0,4}(?:all )?(?:done|fixed|finished|complete[d]?|implemented|added|updated|changed|renamed|removed|resolved"
    r"|refactored|created|replaced|moved|made|corrected|solved|committed|pushed|merged)\b"
    r"|\bnow (?:\w+ ){0,2}(?:returns?|raises?|handles?|works?|uses?|accepts?|counts?|prints?|supports?|passes)\b",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_YET = late(r"\b(?:once|if|when|until|before|after|should be)\b", re.IGNORECASE)


def names_work_done(words: str) -> bool:
    """Whether `words` name a part of the work that was done: what is missing is another part of it then."""
    return _WORK_DONE.search(words) is not None


def puts_off(closing: str) -> str | None:
    """The plainest sentence in which the agent leaves the work to others, to later, or undone for its risk."""
    return next((found for pattern in _PUTS_OFF if (found := _first(closing, pattern)) is not None), None)


def takes_for_granted(closing: str) -> str | None:
    """The first sentence in which the agent takes for granted that what it did works; what it assumes of the user is
    no such sentence."""
    return _first(closing, _ASSUMES, besides=_ABOUT_USER)


def says_done(closing: str) -> bool:
    """Whether any sentence says that something was done or works."""
    return any(
        found is not None and _NOT_YET.search(sentence.words[: found.start()][-60:]) is None
        for sentence in sentences(closing)
        for found in (is_affirmed(_SAYS_DONE, sentence.words[:500]),)
    )


def _first(closing: str, pattern: re.Pattern[str], besides: re.Pattern[str] | None = None) -> str | None:
    for sentence in sentences(closing):
        words = sentence.words[:500]
        if pattern.search(words) and (besides is None or not besides.search(words)):
            return sentence.quote
    return None
