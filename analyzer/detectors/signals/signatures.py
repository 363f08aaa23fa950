"""What a message says of a call that doesn't fit the signature of the function behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.text.late import late

_MISMATCH = late(
    r"(?P<function>[A-Za-z_<][\w.<>]{0,100})\(\) (?:"
    r"got an unexpected keyword argument ['\"](?P<unexpected>\w{1,60})['\"]"
    r"|missing \d{1,3} required (?:positional|keyword-only) arguments?: (?P<missing>['\"]\w{1,60}['\"](?:,? "
    r"(?:and )?['\"]\w{1,60}['\"]){0,12})"
    r"|takes (?:from )?(?:\d{1,3}|no)(?: to \d{1,3})? (?:positional )?arguments? but \d{1,3} (?:was|were) given"
    r"|takes (?:\d{1,3}|no) positional arguments?[^\n]{0,60} but \d{1,3}[^\n]{0,60} (?:was|were) given"
    r"|got multiple values for (?:keyword )?argument ['\"](?P<multiple>\w{1,60})['\"]"
    r"|got some positional-only arguments passed as keyword arguments: ['\"](?P<positional>\w{1,60})"
    r")|\bTypeError: (?:missing a required (?:positional-only |keyword-only )?argument: ['\"](?P<bound>\w{1,60})"
    r"['\"]|got an unexpected keyword argument ['\"](?P<unbound>\w{1,60})['\"]|too many positional arguments$)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What one message says: the function (None for a call that is bound to a signature, which names none), the
    argument that it doesn't know, those that it lacks, the one that it gets twice, and where the message begins and
    ends."""

    function: str | None
    unexpected: str | None
    missing: tuple[str, ...]
    twice: str | None
    start: int
    end: int


def mismatch_in(text: str) -> Mismatch | None:
    """The first such message in a text."""
    found = _MISMATCH.search(text)
    if found is None:
        return None
    missing = re.findall(r"\w+", (found["missing"] or found["bound"] or "").replace(" and ", " "))
    unexpected = found["unexpected"] or found["unbound"]
    return Mismatch(found["function"], unexpected, tuple(missing), found["multiple"], found.start(), found.end())
