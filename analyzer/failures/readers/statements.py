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
from analyzer.failures.messages.tables import RUNTIMES, table
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind
from analyzer.text.late import late, table_beside

_LONGEST = 300
_MOST_LINES = 2
_BESIDE = table_beside(__file__)
_ABSENT, _REFUSED, _STATES = (
    table(_BESIDE["rows"][name], _BESIDE["parts"]) for name in ("absent", "refused", "states")
)
"""What a viewer or a search may say, too, what only other calls say that came to nothing, and what may be the state or
the rule that was asked for as well as the reason why nothing was done."""
_NOTHING_FOUND = late(
    r"^No (?:\w{1,30} ){1,4}(?:found|matched|available)\b|^(?:Nothing|None) (?:was )?found\b", re.IGNORECASE
)
"""How a search answers that finds nothing."""
_VALUE = "InvalidArguments"
_STEM, _MOST_WORDS = 5, 10
_BEING = frozenset({"is", "was", "were", "are", "been"})
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
_KINDS_OF_ERRNO = {"1": FailureKind.PERMISSION, "2": FailureKind.NOT_FOUND, "13": FailureKind.PERMISSION}


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
    elif said is not None or (not shown and any(row.pattern.match(body) for row in (*_STATES, *_REFUSED))):
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
    for row in (*_ABSENT, *(() if shown else _REFUSED)):
        found = row.pattern.match(body)
        if found is not None and (row.type != _VALUE or found["quote"] or body[0].islower()):
            return row.kind, row.type
    if _LABELLED.match(body):
        return FailureKind.OTHER, "Failed"
    return None
