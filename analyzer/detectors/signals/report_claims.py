"""What the report at the end of a session says was done or counted, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.detectors.signals.speech import sentences
from analyzer.text.clip import clip
from analyzer.text.late import late

_DONE = (
    r"(?:\b(?:I|we)(?:['’]ve| have)?|\b(?:is|are|was|were|been|got)|['’]s|\band|,|[✅✓✔]|^[-*] ?|^)\s*\**(?:\s*"
    r"(?:also|now|then|all|successfully|just|both|been|fixed|tested|committed|formatted|verified)\b[,\s]*"
    r"(?:and\s+)?){0,3}\**"
)
_OPERATION = late(
    _DONE + r"(?:\b(?P<commit>committed)\b(?! to\b(?! (?:the |a |your )?(?:git|repo\w*|branch|main|master|local)))"
    r"|\b(?P<push>pushed)\b(?! (?:back|down|up\b(?! to)|further|aside|through|onto|into))"
    r"|\b(?P<publish>published)\b|\b(?P<deploy>deployed)\b)"
    r"|\b(?:opened|created|submitted|raised|filed) (?:a |the |an? \w+ )?"
    r"(?P<pull_request>pull request|PR|merge request|MR)\b",
    re.IGNORECASE,
)
"""The past forms by which a report says that something was done outside of the files."""
_HEDGE = late(
    r"\b(?:will|would|can|could|should|may|might|must|to be|if|when|once|until|before|after|unless|ready|want"
    r"|let me|not|no|never|yet|without|please|already|previous\w*|earlier|you(?:['’]ve| have)?|user|need\w*"
    r"|whether|how|still|last|existing|currently|being|upstream|they|someone|by|which"
    r"|that (?:was|were|is|are))\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_COUNT = late(
    r"\b(?P<count>\d{1,6})(?: ?(?:/|of|out of) ?(?P<total>\d{1,6}))? "
    r"(?:(?:unit|integration|existing|new|backend|frontend|e2e|pytest|jest|vitest|go|automated|regression) ){0,2}"
    r"(?:tests?|specs?|test cases?)(?: (?:now|all|are|still|have)){0,2} (?:pass\w*|succeed\w*|green)\b"
    r"|\b(?:pass\w*:? (?:all )?|[✅✓✔] ?(?:all )?)(?P<after>\d{1,6}) (?:\w+ )?tests?\b",
    re.IGNORECASE,
)
_ALL = late(
    r"\b(?:all|every|entire|full|whole|complete|existing|other)(?: of)?(?: the)?(?: \w+){0,3} "
    r"(?:tests?|specs?|test suites?|suite)\b[^.\n]{0,30}?\b(?:pass\w*|succeed\w*|green)\b|\btests all pass\b"
    r"|\b(?:all|existing|other) tests? (?:now )?pass\w*\b|\bno regressions?\b",
    re.IGNORECASE,
)
_RESERVED = late(
    r"\b(?:except|apart from|other than|but|although|though|fail\w*|timed? ?out|timeout|skipp\w*|unrelated"
    r"|should|would|will|expect\w*|could(?:n't| not)|not|only|related|relevant|affected"
    r"|in (?:this|the) (?:file|module)|ran)\b|n['’]t\b",
    re.IGNORECASE,
)
_FAILS = late(r"\bfail|\berror", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReportClaim:
    """One sentence of a report: what it says was done (`operation`), how many tests it says pass (`count`), or that
    all tests do (`all_tests`)."""

    quote: str
    operation: str | None = None
    count: int | None = None
    all_tests: bool = False


def report_claims(text: str) -> Iterator[ReportClaim]:
    """The claims of a report that can be held against the record. Those with a reservation are left out."""
    for sentence in sentences(text):
        said = sentence.words[:600]
        quote = clip(sentence.quote, 300)
        for found in _OPERATION.finditer(said):
            if _HEDGE.search(said[max(0, found.start() - 80) : found.end() + 12]) is None:
                yield ReportClaim(quote, operation=(found.lastgroup or "").replace("_", " "))
        counted = _COUNT.search(said)
        if counted is not None and _FAILS.search(said) is None:
            yield ReportClaim(quote, count=int(counted["count"] or counted["after"]))
        if _ALL.search(said) is not None and _RESERVED.search(said) is None:
            yield ReportClaim(quote, all_tests=True)
