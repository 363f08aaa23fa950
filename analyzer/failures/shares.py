"""How many of how many passed or failed, by the last lines of an output: `4985/4992 FAILURES DETECTED`, `8 of 10 tests
passed`, `Passed 3 out of 7`, and the one-line verdicts `SUMMARY: NOT OK`, `RESULT: FAIL`.

A script of somebody's own prints such a line and exits with 0; the line is its verdict.
"""

from __future__ import annotations

import re

from analyzer.text.late import late
from analyzer.text.plain import holds_any

_LAST_LINES, _LONGEST_LINE, _END = 3, 160, 1_000
_SHARE = late(r"(?<![\d./:\[(-])(?P<part>\d{1,9}) ?(?:/|of|out of) ?(?P<whole>\d{1,9})(?![\d./:\])])")
_PASSED = late(r"\b(?:pass(?:ed|ing)|succeeded|successful|green)\b", re.IGNORECASE)
_FAILED = late(
    r" ?(?:\w{1,20} ){0,2}(?:fail(?:ed|ures?|ing|s)?|mismatch(?:es|ed)?|broken|incorrect|wrong)\b", re.IGNORECASE
)
_LEFT_OUT = late(r"\b(?:skip\w*|xfail\w*|pending|todo|deselected|ignored|remaining|flaky)\b", re.IGNORECASE)
"""Why fewer passed than there are, where nothing failed."""
_VERDICT = late(
    r"^\W*(?:[\w-]{1,20} ){0,2}(?:result|summary|verdict|overall|conclusion)s?\W{1,4}"
    r"(?:NOT[ _]OK|FAIL(?:ED|URE)?|ERRORS?|BROKEN|KO)\W*$",
    re.IGNORECASE,
)
_WORDS = (
    "ass",
    "ASS",
    "ucce",
    "ail",
    "AIL",
    "ismatch",
    "MISMATCH",
    "roken",
    "rong",
    "ncorrect",
    "reen",
    "OK",
    "ok",
    "RROR",
)


def unmet_share(text: str) -> str | None:
    """The line among the last ones that says that fewer passed than there are, that some of all failed, or that the
    verdict is a bad one; None where there's none, and where the share counts what is done so far."""
    end = text[-_END:]
    if not holds_any(end, _WORDS):
        return None
    lines = [line.strip() for line in end.splitlines() if line.strip()][-_LAST_LINES:]
    return next((line for line in reversed(lines) if len(line) <= _LONGEST_LINE and _is_bad(line)), None)


def _is_bad(line: str) -> bool:
    if _VERDICT.match(line) is not None:
        return True
    shares = list(_SHARE.finditer(line))
    if len(shares) != 1:
        return False
    if line.endswith(("...", "\N{HORIZONTAL ELLIPSIS}")):
        return False
    part, whole = int(shares[0]["part"]), int(shares[0]["whole"])
    if whole == 0 or part > whole or _LEFT_OUT.search(line) is not None:
        return False
    if _PASSED.search(line) is not None:
        return part < whole and not line[shares[0].end() :].lstrip().startswith(("%", ":"))
    return part > 0 and _FAILED.match(line[shares[0].end() :]) is not None
