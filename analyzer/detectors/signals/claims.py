"""Sentences by which an agent claims that tests pass, that the build succeeds, that an error is gone, or that it ran
the tests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.detectors.signals.speech import own_words, sentences
from analyzer.text.clip import clip
from analyzer.text.late import late

_CLAIMS = {
    "tests": late(
        r"\b(?:tests?|test cases?|(?:test )?suites?)\b(?: (?:suite|run|cases?|now|all|also|still|have|has|had|are"
        r"|is|was|were|both|successfully|fully|locally)){0,4} (?:pass(?:es|ed|ing)?|green)\b"
        r"|\b(?:everything|all (?:\w+ )?of them|they all|all) (?:now )?pass(?:es|ed|ing)?\b",
        re.IGNORECASE,
    ),
    "build": late(
        r"\b(?:build|compilation)(?: (?:now|also|still|has|is|was|completes?|completed|run|step)){0,3} "
        r"(?:succeed(?:s|ed)|successful(?:ly)?|pass(?:es|ed|ing)|green|clean)\b"
        r"|\b(?:it|code|project|crate|package|app|everything|module)(?: (?:now|all|also)){0,2} (?:compiles"
        r"|builds)(?: (?:now|again|cleanly|successfully|fine|without (?:any )?errors?))",
        re.IGNORECASE,
    ),
    "error": late(
        r"\b(?:error|exception|crash|traceback|failure)(?: (?:message|now)){0,1} (?:is (?:now )?(?:gone|fixed"
        r"|resolved)|(?:has )?(?:disappeared|vanished)|(?:no longer|doesn't) (?:occurs?|appears?|happens?)(?: "
        r"any ?more)?|"
        r"has been (?:fixed|resolved|eliminated))\b",
        re.IGNORECASE,
    ),
}
_RAN = late(
    r"\bI(?:(?:'ve| have)(?: also| then| now| already| just| successfully)? (?:run|re-?run|executed)|(?: also| "
    r"then| already| just| successfully)? (?:ran|re-?ran|executed)) (?:all |both )?(?:of )?(?:the |your |our |my "
    r")?(?:\w+ ){0,3}(?:tests?|test suite|suite)\b"
    r"|\bI(?:'ve| have)?(?: also| then| just| successfully| thoroughly| manually)? tested (?:the|this|my|both"
    r"|all) (?:\w+ ){0,2}(?:fix|changes?|code|implementation|solution|scripts?|function|endpoint|page|feature)\b",
    re.IGNORECASE,
)
_HEDGE = late(
    r"\b(?:should|would|will|could|can|may|might|must|shall|if|once|when|until|till|unless|ensur\w+|make sure"
    r"|making sure|verify|verifying|check|checking|confirm|confirming|see|seeing|let me|let's|"
    r"need(?:s|ed)?|want|expect\w*|assum\w+|hope\w*|hopefully|whether|so that|why|how|what|which|not|never|no"
    r"|only|until|before|previous(?:ly)?|original(?:ly)?|earlier|baseline|used to|without|"
    r"likely|probably|presumably|appears?|seems?|goal|criteri\w+|requir\w+|plan|step \d+|cannot|getting|mak(?:e"
    r"|es|ing)|suggest\w*|mean(?:s|ing)?|claim\w*|says?|said|because|since|even though|while|although|most|some|"
    r"many|several|part\w*|other|rest|remaining|existing|upstream|main branch|I'll|I will|going to)\b|n't\b"
    r"|\bexample|\be\.g\.|\?|\d+ ?(?:of|/|out of) ?\d+|\d ?%",
    re.IGNORECASE,
)
_WISH = late(
    r"\b(?:to|please) (?:(?:have|get|all|the|every|both|these|those|re-?run|run|execute|make) ){0,4}\Z", re.IGNORECASE
)
_RESERVED = late(
    r"\b(?:except\w*|but|apart from|other than|besides|aside|unrelated|ignor\w+|pre-?existing|however|although"
    r"|though|still fail\w*|fail(?:s|ed|ing|ures?)?|skipp\w+|flaky|environment\w*|known issues?|"
    r"couldn't|could not|unable|unverified|if|when|once|after|until|assuming|whether|yet|only|locally before|not)"
    r"\b|n't\b|\?",
    re.IGNORECASE,
)
_ADMITS = late(r"\bfail\w*\b|\berrors?\b", re.IGNORECASE)
_MENDED = late(
    r"\b(?:fix\w*|resolv\w+|repair\w*|correct\w+|was|were|had|previous\w*|no (?:more )?(?:fail|error)\w*)\b",
    re.IGNORECASE,
)
"""A sentence before that speaks of failures takes the claim back, unless they're over."""


_HINTS = (
    "pass",
    "green",
    "succe",
    "clean",
    "compiles",
    "builds",
    "gone",
    "fixed",
    "resolved",
    "appear",
    "vanished",
    "occur",
    "happen",
    "eliminated",
    "ran ",
    "run ",
    "executed",
    "tested",
)
"""Every claim holds one of these; most sentences don't, and needn't be looked at closely."""


def claims(text: str) -> Iterator[tuple[str, str]]:
    """What a text claims without a reservation: the subject and the sentence."""
    words, before = own_words(text), ""
    for sentence in sentences(text):
        earlier, before = before, sentence.words[-300:]
        said = sentence.words[:600]
        low = said.casefold()
        if not any(hint in low for hint in _HINTS) or (
            _ADMITS.search(earlier) is not None and not _MENDED.search(earlier)
        ):
            continue
        for subject, pattern in (*_CLAIMS.items(), ("ran", _RAN)):
            match = pattern.search(said)
            if (
                match is None
                or _HEDGE.search(said, max(0, match.start() - 100), match.end())
                or _WISH.search(said, 0, match.start())
            ):
                continue
            if not _RESERVED.search(said, match.end(), match.end() + 200) and not _RESERVED.search(
                words, sentence.end, sentence.end + 200
            ):
                yield subject, clip(sentence.quote, 300)
