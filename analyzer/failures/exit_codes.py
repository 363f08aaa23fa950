"""The exit codes that a text names: above an output, in the heading or below it, as harnesses write them, and on lines
that a command line itself has printed."""

from __future__ import annotations

import re

from analyzer.text.expressions import compiled
from analyzer.text.late import late
from analyzer.text.plain import holds_any

_FIRST_LINE = late(
    r"\A\s*(?:\[?(?:[Ee]xit(?:_| )code:?|(?:The )?(?:[Pp]rocess|[Cc]ommand|[Ss]cript|[Cc]ode"
    r"|[Pp]rogram)\b[^\n]{0,40}? (?:exited|failed|finished) with (?:\w+ )?(?:exit )?code:?) "
    r"?(?P<code>-?\d{1,10})\b\]?[.:]?[^\S\n]*(?:\n|\Z)|<(?:returncode"
    r"|exit_code)>(?P<tagged>-?\d{1,10})</(?:returncode|exit_code)>[^\S\n]*(?:\n|\Z))"
)
_HEAD, _END = 400, 300
_HEADED = late(
    r"\A(?:(?:Chunk ID|Wall time|Command|Directory)[^\n]{0,300}\n){1,4}(?:Process exited with code|Exit [Cc]ode:) "
    r"(?P<code>-?\d{1,10})[^\S\n]*\n"
)
_LAST_LINE = late(
    r"(?:\A|\n)\W{0,3}(?:(?:The )?(?:command|process|program|script|shell|task)\b[^\n]{0,60}? (?:exited|finished"
    r"|completed|failed|terminated|ended|returned)(?: [^\n]{0,30}?)?(?:with )?(?:non-zero )?(?:exit )?(?:code"
    r"|status):? ?(?P<code>-?\d{1,10})\b|exit(?:ed)?(?: with)?[ _](?:code|status)[:=]? "
    r"?(?P<plain>-?\d{1,10})\b)[^\n]{0,20}\s*\Z",
    re.IGNORECASE,
)
"""The lines above and below an output by which harnesses name its exit code."""
_HINTS = ("xit", "returncode", "eturned", "inished", "ailed", "erminated", "nded", "ompleted")
_ECHOED = late(
    r"\W{0,6}(?:[\w.-]{1,30}[ _-]{1,2})??(?:exit|rc|ret|retval|status|code|returned|result)[ _]?(?:code|status|was"
    r"|is)?\W{1,4}(?P<code>\d{1,3})\W{0,5}$",
    re.IGNORECASE,
)
"""A line such as `EXIT=1`, `exit code: 0`, `--- rc=2 ---`."""
_SURELY = compiled(r"(?:EXIT|RC|exit|rc)(?:[_ ]?(?:CODE|STATUS|code|status))?[=:]")
_BARE = compiled(r"\d{1,3}$")
_TRAILER = late(
    r"\W{0,3}(?:(?:the )?(?:command|process|script|program|task) )?(?:(?:has |was )?(?:exit|return|fail|finish|complet)"
    r"(?:ed|s)?)(?: with)?(?: (?:an?|non-?zero|error|exit|code|status))*:?[\s`'\"]{0,3}-?\d{1,3}\W{0,3}",
    re.IGNORECASE,
)


def named_code(text: str) -> tuple[str, int | None]:
    """The exit code that a line above or below an output names; the line above it is taken off."""
    head = text[:_HEAD]
    if holds_any(head, _HINTS) and (first := _FIRST_LINE.match(text)) is not None:
        return text[first.end() :], int(first["code"] or first["tagged"])
    if "ode" in head and (headed := _HEADED.match(head)) is not None:
        return text, int(headed["code"])
    if holds_any(text[-_END:], _HINTS) and (last := _LAST_LINE.search(text[-_END:])) is not None:
        before = text[: max(0, len(text) - _END) + last.start()]
        return (text if before.strip() else before), int(last["code"] or last["plain"])
    return text, None


def echoed_code(line: str, *, asked: bool = True, bare: bool = False) -> int | None:
    """The exit code that a line such as `EXIT=1` or `--- rc=2 ---` gives; with `bare` a number alone will do. Unless
    somebody `asked` for it, only a line that can't mean anything else is one."""
    if bare and _BARE.match(line):
        return int(line)
    found = _ECHOED.match(line) if asked or _SURELY.match(line) else None
    return int(found["code"]) if found is not None else None


def names_only_a_code(line: str) -> bool:
    """Whether a line does no more than name an exit code."""
    return _TRAILER.fullmatch(line) is not None
