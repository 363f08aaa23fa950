"""Commands that a tool no longer waits for, and that run on: a limit ended the wait, not the command."""

from __future__ import annotations

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
