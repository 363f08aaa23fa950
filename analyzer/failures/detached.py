"""Commands that a tool no longer waits for, and that run on: a limit ended the wait, not the command."""

from __future__ import annotations

import re
from itertools import pairwise

from analyzer.text.late import late

_RUNS_ON = late(
    r"(?i)\b(?:(?:is |now |continu\w{2,4} |keeps )?running|(?:has been |was |is )?(?:moved|sent|detached)"
    r"|continues|runs on) (?:on )?(?:to |in(?:to)? )(?:the )?background\b"
)
_ENDED = late(r"(?i)\b(?:killed|terminated|stopped|aborted|not|cannot|can't|instead|should|try|consider|use)\b")
_LIMIT = late(r"(?i)\btim(?:ed?|e-?s|ing)[- ]?out\b|\b(?:time ?)?limit\b|\bafter \d[\d.]* ?(?:m?s|sec|min)")
_EDGE = 400
"""Characters at either end of a result in which a tool speaks."""


def runs_on(text: str) -> bool:
    """Whether the first or the last lines of a result say that a limit was reached and, in the same line or the next,
    that the command runs on in the background; not where they say that it was ended, or advise to run it so."""
    for edge in (text[:_EDGE], text[-_EDGE:]):
        lines = ["", *(line for line in edge.splitlines() if line.strip())]
        for before, line in pairwise(lines):
            if _RUNS_ON.search(line) is None or _ENDED.search(line) is not None:
                continue
            if _LIMIT.search(line) is not None or (_LIMIT.search(before) and not _ENDED.search(before)):
                return True
    return False


_STILL = late(
    r"^\W{0,3}(?:(?:the )?(?:command|process|program|script|task)\b[^\n]{0,60} (?:is )?(?:still )?running\b(?! out)"
    r"|still running\b|running in (?:the )?background\b|command (?:is )?running in (?:the )?background\b)[^\n]{0,200}$",
    re.IGNORECASE,
)
_QUIET = late(
    r"^\W{0,3}(?:the |this |your )?(?:command|process|program|script|task)\b[^\n]{0,60} no new output (?:after|for|in) "
    r"\d[^\n]{0,400}?\b(?:wait|interact|interrupt|still)\b",
    re.IGNORECASE,
)
_BRACKETS = {"<": ">", "[": "]", "(": ")"}


def still_runs(line: str, *, bracketed: bool = False) -> bool:
    """Whether a line is a tool's, which says that it handed the call back while the command runs. With `bracketed` the
    line has to be in brackets, as in a text that is shown."""
    if bracketed and (not line or _BRACKETS.get(line[0]) != line[-1]):
        return False
    return _STILL.match(line) is not None or went_quiet(line)


def went_quiet(line: str) -> bool:
    """Whether a line is a tool's, which says that it waits no longer for a command that prints nothing and runs on."""
    return _QUIET.match(line) is not None
