"""A sentence that is the whole answer of a call and says that the call came to nothing: `City not found: Par`,
`Document 3 does not exist.`, `Payment declined`, `The user denied this call.`

Tools of one's own word their errors as they like, so this reads the sentence's grammar instead of a list of messages:
what was looked up and isn't there, what wasn't allowed or accepted, which value can't be taken. A sentence of that
form that may as well be what was asked for (`Order 7 was rejected.`, `A receipt is required.`) leaves the status
unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.failures.evidence import Evidence, Exposure, Indicates, Reading, Strength
from analyzer.failures.messages.tables import RUNTIMES
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind
from analyzer.text.late import late

_LONGEST = 300
_MOST_LINES = 2
_WORD = r"(?!(?:that|which|who|if|when|whether|means?|because|how|why|where|what|says?|said) )"
"""A word of the main clause: what a subordinate clause says isn't said of the call."""
_SUBJECT = rf"(?P<subject>(?:{_WORD}[^\s.:;,!?]{{1,60}}(?:\.\S{{1,60}})? ){{1,8}}?)"
"""Up to eight words, in which a name or a path may have dots."""
_BE = r"(?:(?:is|was|are|were|has been|have been|been|could|can|cannot|can)(?: be)? |(?:isn't|wasn't|aren't) )?"
_NOT_THERE = late(
    rf"^(?:The |This |That |An? |Your )?(?:{_SUBJECT}(?:{_BE}(?:not )?(?:be )?(?<!n't )(?:not found|not be found"
    r"|not located)|(?:does|do|did)(?: not|n['’]t) exist|no longer exists?|doesn['’]t exist)"
    r"|No (?:such )?[\w -]{1,60}? (?:with|for|by|named|called|matching) (?:the |this |that |given )?(?:id|name"
    r"|key|number"
    r"|email|code|ref\w*|[\"'`“#<])|No such [\w -]{1,40}|Not found)\b",
    re.IGNORECASE,
)
"""What was looked up by its name and isn't there."""
_NOTHING_FOUND = late(
    r"^No (?:\w{1,30} ){1,4}(?:found|matched|available)\b|^(?:Nothing|None) (?:was )?found\b", re.IGNORECASE
)
"""How a search answers that finds nothing."""
_CLOSE = r"(?= ?(?:[.:;,!(\n]|$|by|for|in|on|because|due|with|at|from|since|until|as|to|under|when|while|and) ?)"
"""What ends the sentence, or says when, where or why."""
_OF_THE_CALL = (
    r"(?:access|request|permission|payment|transaction|call|tool call|operation|query|login|connection|upload|download"
    r"|authentication|authorization|authorisation|credentials?|token|session|api key|password|command|action|input"
    r"|argument|parameter|value|format|card|the user|user|you)"
)
_NOT_ACCEPTED = late(
    rf"^(?:The |This |Your |An? )?(?:(?:{_WORD}[a-z][\w'-]{{0,30}} ){{0,3}}{_OF_THE_CALL}(?: \S{{1,60}})?|(?=denied"
    r"|declined|rejected"
    r"|refused|forbidden|unauthori[sz]ed|insufficient|invalid))\s?(?:(?:is|was|has been|has|have|were|are|got) )"
    r"?(?:not "
    r"(?:allowed|permitted|accepted|authori[sz]ed|authenticated|supported|valid|enough)|denied|declined|rejected"
    r"|refused|forbidden|blocked|prohibited|unauthori[sz]ed|invalid|expired|failed|cancell?ed|aborted|insufficient"
    rf"|already (?:exists|taken|used))\b{_CLOSE}",
    re.IGNORECASE,
)
"""What wasn't let through, where the sentence is about the call itself."""
_SHORT_OF = late(
    rf"^Not (?:\w{{2,20}}ed|done|sent|made|run){_CLOSE}"
    rf"|^(?:Insufficient|Not enough) (?:\w{{1,30}} ){{0,3}}?\w{{1,30}}{_CLOSE}|^Divi(?:de|sion) by zero\b"
    r"|^(?:Index|Value|Number|Argument) (?:is )?out of (?:range|bounds)\b|^Maximum recursion depth exceeded\b"
    r"|^(?:\w{1,30} ){0,3}(?:limit|quota) (?:was |has been |is )?(?:exceeded|reached)\b",
    re.IGNORECASE,
)
_STEM, _MOST_WORDS = 5, 10
_BEING = frozenset({"is", "was", "were", "are", "been"})
_WRONG_VALUE = late(
    r"^(?:The )?(?:(?:argument|parameter|field|property|value|input|key|option|query|path)s? )?"
    r"(?P<quote>[`'\"“]?)[\w.-]{1,60}[`'\"”]?(?: (?:argument|parameter|field|property|value|option)s?)? (?:is (?:a )?"
    r"(?:required(?! by| for)|missing|invalid|not (?:a )?(?:valid|number|unique))|(?:must|should|has to|needs to)"
    r" (?:not )?(?:be "
    r"(?:one of|an? |positive|negative|non-|greater|less|larger|smaller|between|in |unique|at (?:least|most)"
    r"|valid|after|"
    r"before|numeric|empty|\W?\d)|contain|match|have)|(?:can|may)(?:not| not) be (?:empty|null|none|negative|blank))",
    re.IGNORECASE,
)
"""A value that can't be taken. Only names as programs have them: lower case, or in quotes."""
_STATE = late(
    rf"^(?:The |This |Your )?{_SUBJECT}(?:(?:(?:is|was|has been|are|were|got) )?(?:already )?(?:not (?:available"
    r"|allowed"
    r"|valid|supported)|rejected|declined|refused|blocked|expired|cancell?ed|unavailable|taken|required|invalid|closed"
    r"|full|sold out|locked|disabled|overloaded)|(?:cannot|can not|can['’]t|could not|may not) be \w+|(?:does|do|did)"
    r"(?: not|n['’]t) match|(?:must|should) (?:match|be (?:before|after|at (?:least|most)|between|one of))|expected "
    r"(?:one of|an? |to be))\b|^expected [^\n]{1,80} (?:to be|but got|got|found)\b",
    re.IGNORECASE,
)
"""What may be the state or the rule that was asked for as well as the reason why nothing was done."""
_NOT_PASSED = late(
    r"^(?:The |Your |Some |All |One or more |\d{1,6} (?:of (?:the )?\d{1,6} )?)?(?:hidden |unit |public |private )?"
    r"(?:tests?|checks?)(?: (?:cases?|suites?))? (?:(?:did|do|does|has|have)(?: not|n['’]t)|failed to) "
    r"pass(?:ed)?(?= ?(?:[.:;,!(\n]|$))",
    re.IGNORECASE,
)
"""The verdict of somebody else's tests on what a call handed in."""
_LABELLED = late(r"^[^\n]*\n(?:FAILURE|FAILED|ERROR|FATAL): \w[^\n]*$")
"""A last line that a word in capitals calls a failure."""
_QUOTED = late(r"^(?P<quote>[\"'])(?P<said>[^\"']+)(?P=quote)$")
_WENT_ON = late(
    r"\b(?:creat(?:ed|ing)|added|fetched|using|used|fall(?:ing|s)? back|fell back|instead|skipp(?:ed|ing)|anyway"
    r"|success\w*|succeed\w*|done|inserted|restored|continu\w+)\b",
    re.IGNORECASE,
)
_ERRNO = late(r"^\[Errno \d{1,4}\] [^\n]{1,200}")
_RAN_INTO = late(
    r"^(?!(?:Recover|Ignor|Handl|Fix|Resolv|Caught|Catch|Retr|Expect|No\b))[A-Z][a-z]+(?: [a-z]+){0,5}:? "
    r"\[Errno \d{1,4}\] [^\n]{1,200}"
)
"""An error of the operating system behind some words of the tool's own."""
_KINDS_OF_ERRNO = {"1": FailureKind.PERMISSION, "2": FailureKind.NOT_FOUND, "13": FailureKind.PERMISSION}
_ROWS = (
    (_NOT_THERE, FailureKind.NOT_FOUND, "NotFound", True),
    (_ERRNO, FailureKind.NOT_FOUND, "NotFound", True),
    (_RAN_INTO, FailureKind.OTHER, "OSError", False),
    (_NOT_ACCEPTED, FailureKind.OTHER, "Rejected", False),
    (_SHORT_OF, FailureKind.OTHER, "Failed", False),
    (_WRONG_VALUE, FailureKind.INVALID_CALL, "InvalidArguments", False),
    (_LABELLED, FailureKind.OTHER, "Failed", True),
)
"""What a sentence says that went wrong, as a kind and a type, and whether a viewer or a search may say it."""


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """The sentence, where it's all that came back. A viewer's or a search's answer counts only where it says that what
    was looked up isn't there, and not where the content of a file may say so."""
    body = _QUOTED.sub(r"\g<said>", text.strip())
    if len(body) <= _LONGEST and not reading.operation.commands and _NOT_PASSED.match(body):
        if reading.exposure is not Exposure.SHOWN:
            failure = Failure(FailureKind.TEST, "TestFailure", body.splitlines()[0])
            yield Evidence("statement", (0, len(text)), Strength.PLAIN, failure, own=True)
        return
    if not body or len(body) > _LONGEST or body.count("\n") >= _MOST_LINES or reading.operation.command is not None:
        return
    shown = reading.exposure is Exposure.SHOWN
    if (shown and reading.may_be_content) or _NOTHING_FOUND.match(body):
        return
    said = _said(body, shown=shown)
    span = (0, len(text))
    if said is None and not shown and " not " in body and _denies_itself(body, reading.tool):
        said = FailureKind.OTHER, "Failed"
    if said is not None and not _WENT_ON.search(body):
        kind, name = said
        kind = _KINDS_OF_ERRNO.get(body.partition("[Errno ")[2].partition("]")[0], kind)
        yield Evidence("statement", span, Strength.PLAIN, Failure(kind, name, body.splitlines()[0]), own=True)
    elif said is not None or (not shown and (_STATE.match(body) or _WRONG_VALUE.match(body))):
        yield Evidence("statement", span, Strength.PLAIN, own=True, says=Indicates.NOTHING)


def _denies_itself(body: str, tool: str) -> bool:
    """Whether a sentence says that something wasn't done, by the verb of the tool's own name."""
    before, _, after = body.partition(" not ")
    words, verb = before.lower().split(), after.partition(" ")[0].lower().strip(".,:;!")
    denied = bool(words) and words[-1] in _BEING and len(words) <= _MOST_WORDS
    return denied and len(verb) >= _STEM and verb[:_STEM] in tool.casefold()


def _said(body: str, *, shown: bool) -> tuple[FailureKind, str] | None:
    """What a sentence says that went wrong. A value that can't be taken is in quotes or begins with a small letter."""
    for row in () if shown else RUNTIMES.candidates(body):
        if row.pattern.match(body):
            return row.kind, row.type
    for form, kind, name, by_viewer in _ROWS:
        found = form.match(body) if by_viewer or not shown else None
        if found is not None and (form is not _WRONG_VALUE or found["quote"] or body[0].islower()):
            return kind, name
    return None
