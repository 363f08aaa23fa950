"""How many passed or failed by the last lines of a script of somebody's own, which prints them and exits with 0:
`4985/4992 FAILURES DETECTED`, `8 of 10 tests passed`, `5 passed, 2 failed`, `SUMMARY: NOT OK`, behind a label as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.failures.evidence import Evidence, Exposure, Reading, Strength, span_of
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late

_LAST_LINES, _LONGEST_LINE, _END = 5, 160, 1_000
_MOST_LABELS = 3
_LABEL = late(
    r"(?:\[[^\]\n]{1,40}\]|\d{1,4}[-:][\d:T.,Z+-]{3,30}|[A-Z]{4,8}(?= )|[\w-]{1,20}(?: [\w-]{1,20})?:(?= ))\s{1,4}"
)
_FAILED = r"(?:fail(?:ed|ures?|ing|s)?|mismatch(?:es|ed)?|broken|incorrect|wrong)\b"
_SHARE = late(r"(?<![\d./:\[(-])(?P<part>\d{1,9}) ?(?:/|of|out of) ?(?P<whole>\d{1,9})(?![\d./:\])])", re.IGNORECASE)
_PASSED = late(r"\b(?:pass(?:ed|ing)|succeeded|successful|green)\b", re.IGNORECASE)
_FAILING = late(rf"\b{_FAILED}\W{{0,3}}$|^ ?(?:\w{{1,20}} ){{0,2}}{_FAILED}", re.IGNORECASE)
"""The words for a failure right before a share, or right behind it."""
_COUNTS = late(
    rf"\W{{0,9}}(?:\d{{1,6}} (?!{_FAILED})[\w-]{{1,20}}\W{{1,3}}){{0,4}}"
    rf"[1-9]\d{{0,5}} (?:(?:tests?|checks?|specs?|cases?) )?{_FAILED}"
    r"(?:\W{1,3}\d{1,6} [\w-]{1,20}){0,4}\W{0,9}",
    re.IGNORECASE,
)
"""Nothing but counts, of which one is of failures."""
_LEFT_OUT = late(r"\b(?:skip\w*|xfail\w*|pending|todo|deselected|ignored|remaining|flaky)\b", re.IGNORECASE)
"""Why fewer passed than there are, where nothing failed."""
_VERDICT = late(
    r"\W{0,9}(?:(?:[\w-]{1,20} ){0,2}(?:result|summary|verdict|overall|conclusion)s?\W{1,4}"
    r"(?:FAIL(?:ED|URE)?|ERRORS?|BROKEN|KO|NOT[ _]OK)|NOT[ _]OK)(?: \([^()\n]{1,60}\))?\W{0,9}",
    re.IGNORECASE,
)
HINTS = (
    *("ass", "ASS", "ucce", "ail", "AIL", "ismatch", "ISMATCH"),
    *("roken", "rong", "ncorrect", "reen", "OK", "ok", "RROR"),
)


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """What the last lines count, where something ran."""
    operation = reading.operation
    ran = operation.kind in (Kind.RUN, Kind.TEST) or (operation.command is None and reading.exposure is Exposure.RAN)
    line = failing_line(text) if ran else None
    if line is not None:
        yield Evidence("own-count", span_of(text, line), Strength.SURE, Failure(FailureKind.TEST, "CheckFailed", line))


def failing_line(text: str) -> str | None:
    """The last line that says that fewer passed than there are, that some failed, or that the verdict is a bad one;
    None where there's none, and where a share counts what is done so far."""
    lines = [line.strip() for line in text[-_END:].splitlines() if line.strip()][-_LAST_LINES:]
    return next((line for line in reversed(lines) if len(line) <= _LONGEST_LINE and _is_bad(line)), None)


def _is_bad(line: str) -> bool:
    if _VERDICT.fullmatch(line) is not None:
        return True
    for _ in range(_MOST_LABELS):
        label = _LABEL.match(line)
        if label is None or _PASSED.search(label[0]) or _FAILING.search(label[0]):
            break
        line = line[label.end() :]
    if _COUNTS.fullmatch(line) is not None:
        return True
    shares = list(_SHARE.finditer(line))
    if len(shares) != 1 or line.endswith(("...", "\N{HORIZONTAL ELLIPSIS}")) or _LEFT_OUT.search(line) is not None:
        return False
    part, whole = int(shares[0]["part"]), int(shares[0]["whole"])
    before, after = line[: shares[0].start()], line[shares[0].end() :]
    if not 0 < whole >= part:
        return False
    if _PASSED.search(line) is not None:
        return part < whole and not after.lstrip().startswith(("%", ":"))
    return part > 0 and (_FAILING.search(before) is not None or _FAILING.match(after) is not None)
