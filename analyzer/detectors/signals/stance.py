"""How an agent stands to its work in its last words: whether it says that something was done, puts it off, or takes for
granted that it works. What decides is the sort of the clause: who does what to which part of the work."""

from __future__ import annotations

import re

from analyzer.detectors.signals.speech import sentences
from analyzer.text.late import late
from analyzer.text.sentences import is_affirmed

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
_DONE = late(
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
        for found in (is_affirmed(_DONE, sentence.words[:500]),)
    )


def _first(closing: str, pattern: re.Pattern[str], besides: re.Pattern[str] | None = None) -> str | None:
    for sentence in sentences(closing):
        words = sentence.words[:500]
        if pattern.search(words) and (besides is None or not besides.search(words)):
            return sentence.quote
    return None
