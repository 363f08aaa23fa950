"""Results that hold a person's decision: a plan that was sent back, a change that was declined, a review's verdict.

Harnesses flag them as errors, because the call didn't get what it asked for. Nothing went wrong.

Calls that were held back because nobody has given leave for them yet.
"""

from __future__ import annotations

from analyzer.text.late import late

_PERSON = (
    r"(?:the |a |your )?(?:human |code )?(?:user|reviewer|operator|human|approver|maintainer|person|customer|owner)"
)
_THING = (
    r"(?:the |this |your |proposed )?(?:proposed )?(?:plan|proposal|change|changes|edit|edits|action|command|call"
    r"|tool call|tool use|request|diff|patch|review|question|operation)"
)
_ASKED = r"(?:the |this |your |proposed )?(?:proposed )?(?:plan|proposal|review|question)"
"""What only a person is asked about."""
_SETTINGS = late(r"\b(?:settings?|polic(?:y|ies)|configur\w+|sandbox|(?:allow|deny)-?list|rules?)\b", 2)
_NO = r"(?:rejected|declined|denied|refused|disapproved|dismissed|turned down|sent back|not approved|vetoed)"
_DECIDED = late(
    rf"^(?:error: ?|\W{{0,3}})(?:{_PERSON}(?: has| have)? (?:explicitly )?(?:{_NO}|chose|chosen|decided|prefer(?:s|red)"
    r"|want(?:s|ed)|wishes|asked|requested|(?:did|does|do|has|have)(?:n['’]t| not) (?:approved?|accept(?:ed)?|agreed?"
    r"|allow(?:ed)?|want(?:ed)?|confirm(?:ed)?))\b"
    rf"|{_THING} (?:was |were |has been |have been |is )?{_NO}\b(?: by {_PERSON})?(?=\W*$|[^\n]{{0,40}}(?:feedback"
    rf"|comment|reason|because|by {_PERSON})\b|\s*$)"
    rf"|{_ASKED} (?:was |were |has been |have been |is )?{_NO}\b(?=\s*[:;.])"
    rf"|(?:review|plan) verdict: ?\W{{0,3}}(?:{_NO}|changes requested|keep planning)\b)[^\n]{{0,300}}",
    2 | 8,
)
_NAMED = late(rf"\b{_PERSON}\b|\b(?:feedback|comment|verdict)\b", 2)
_LONGEST = 8_000
_HEAD = 600
"""Characters within which the decision stands: what follows is the person's feedback."""


def decision_in(text: str) -> str | None:
    """The line by which a result says that a person decided otherwise; None where it doesn't say so at its
    beginning."""
    if len(text) > _LONGEST:
        return None
    head = text.lstrip()[:_HEAD]
    found = _DECIDED.search(head)
    if found is None or head[: found.start()].strip():
        return None
    line = found[0].strip()
    if _SETTINGS.search(line) is not None:
        return None  # nobody was asked
    return line.removeprefix("Error:").removeprefix("error:").strip()


def names_a_person(line: str) -> bool:
    """Whether the line of a decision says that somebody made it: a plan may as well be rejected by a validator."""
    return _NAMED.search(line) is not None


_LEAVE = r"(?:approval|permissions?|confirmation|authori[sz]ation|consent)"
_HELD = late(
    rf"\b(?:requires?|needs?|awaits?|awaiting|waiting (?:for|on)|pending) (?:[\w']{{1,12}} ){{0,2}}{_LEAVE}\b"
    rf"|\b{_LEAVE}\b[^\n]{{0,160}}\b(?:haven['’]t|have not|hasn['’]t|has not|wasn['’]t|was not|not)(?: been)?(?: yet)? "
    r"(?:granted|given)\b"
    rf"|\b{_LEAVE} (?:is |was |still )?(?:required|needed|pending)\b",
    2,
)
_OF_A_CALL = late(
    r"\b(?:this|the|that|following|tool|shell)\b[^\n]{0,60}"
    r"\b(?:command|call|tool|action|operation|part|edit|request)s?\b"
    rf"|\b(?:your|user|user['’]s|human|operator['’]s) {_LEAVE}\b|^\W*{_LEAVE} (?:is |was |still )?(?:required|needed"
    r"|pending)\b",
    2,
)
_REFUSED = late(r"\b(?:user|human|operator)\b[^\n]{0,60}\b(?:rejected|denied|declined|refused|doesn['’]t want)\b", 2)
_LEAVE_LONGEST = 1_000
"""Characters of an answer that says nothing else."""


def held_back(text: str) -> str | None:
    """The line of a short answer that says that a call waits for somebody's leave; None where it says that somebody
    refused it, or nothing of it."""
    if len(text) > _LEAVE_LONGEST or _REFUSED.search(text) is not None:
        return None
    found = _HELD.search(text)
    if found is None:
        return None
    start = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.end())
    return text[start : end if end >= 0 else len(text)].strip()


def is_about_a_call(line: str) -> bool:
    """Whether a line that speaks of leave means the call which it answers, and not something that the call is about."""
    return _OF_A_CALL.search(line) is not None
