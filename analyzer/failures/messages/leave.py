"""Calls that were held back because nobody has given leave for them yet."""

from __future__ import annotations

from analyzer.text.late import late

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
_LONGEST = 1_000
"""Characters of an answer that says nothing else."""


def held_back(text: str) -> str | None:
    """The line of a short answer that says that a call waits for somebody's leave; None where it says that somebody
    refused it, or nothing of it."""
    if len(text) > _LONGEST or _REFUSED.search(text) is not None:
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
