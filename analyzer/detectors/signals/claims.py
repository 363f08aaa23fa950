"""The sentence by which an agent claims that the task is done: what it says of the work, not of a tool or a file.

What the report at the end of a session says was done or counted, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.detectors.signals.gives_up import says_done
from analyzer.detectors.signals.speech import sentences
from analyzer.model.action import Action
from analyzer.model.finding import Evidence
from analyzer.model.struct import Struct
from analyzer.model.words import Kind
from analyzer.text.clip import clip, clip_words
from analyzer.text.late import late
from analyzer.text.sentences import sentences as plain_sentences
from analyzer.timeline import Timeline
from analyzer.timeline.closing.ending import Claim, final_text, is_command_line

_PROMISES = late(
    r"^(?!\W*(?:if|once|before|let|next)\b)[^?]*(?<!\bI )\b(?:should|will|would)(?: now| also| fully)? (?:resolve|fix"
    r"|address|solve|prevent|allow|enable|let|make|ensure|work|handle|support)\b",
    re.IGNORECASE,
)
"""What a claim about the work says that is a promise."""
_OF_TOOL = late(
    r"\b(?:edits?|changes?|modifications?|lines?|files?|scripts?|imports?|director(?:y|ies)|packages?|patch|duplicat\w+|dependenc\w+)\b"
    r"[^.\n]{0,60}\b(?:applied|removed|deleted|saved|created|inserted|installed|restored|cleaned)\b",
    re.IGNORECASE,
)
"""What a sentence says that reports what a tool did to a file."""
_LETTERS = late(r"[^\W\d_]")
_TELLING = 10
_LONGEST = 240


def claim_quote(timeline: Timeline, actions: Sequence[Action], claim: Claim, since: int) -> Evidence:
    """The last sentence after a step that claims something of the work, with the step at which it's said; where none
    does, the words with which the session ends."""
    for tool_too in (False, True):
        for step, text in _said(timeline, actions, since):
            found = [
                part
                for part in (entry.text for entry in plain_sentences(text[-8_000:]))
                if (says_done(part) or _PROMISES.search(part)) and (tool_too or not _OF_TOOL.search(part))
            ]
            if found:
                return Evidence(step=step, quote=clip_words(found[-1], _LONGEST))
    last = actions[-1]
    if last.kind is Kind.FINISH and last.operation.command is not None and not (last.said or timeline.closing()):
        return Evidence(
            step=last.step, label="called", quote=clip(last.operation.command or final_text(last), _LONGEST)
        )
    said = [
        part
        for part in (entry.text for entry in plain_sentences(last.said[-8_000:]))
        if len(_LETTERS.findall(part)) >= _TELLING
    ]
    bare = len(_LETTERS.findall(claim.words)) < _TELLING
    return Evidence(step=claim.step, quote=clip_words(said[-1], _LONGEST) if bare and said else claim.words)


def _said(timeline: Timeline, actions: Sequence[Action], since: int) -> Iterator[tuple[int, str]]:
    """What the agent said after a step, the last first."""
    last = actions[-1]
    yield last.step, timeline.closing()
    if not is_command_line(timeline, last):
        yield last.step, final_text(last)
    for action in reversed(actions):
        if action.step <= since:
            return
        yield action.step, action.said


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


class ReportClaim(Struct, frozen=True):
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
