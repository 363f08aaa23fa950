"""What an output says has happened outside: a script doesn't say what it does, its output does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.detectors.signals.outward.effect import DEPLOY, MESSAGE, PAYMENT, PUBLISH, PUSH, OutwardKind
from analyzer.text.late import late

_LONGEST = 30_000
_MARK = r"^(?:\[[^\]\n]{1,40}\]\s*)?(?:[✓✔🚀✅🎉📦*+>-]\ufe0f?\s*)?(?:\w+: )?(?:Successfully |Done[:.]? )?"
_PUSHED = late(
    r"^To (?P<to>(?:https?://|ssh://|git@|[\w.-]+@?[\w.-]*\.\w+:)\S+)\n(?:(?:remote:|[ \t]*\n).*\n?){0,5}"
    r"[ \t]*(?:[\da-f]{6,40}\.\.\.?[\da-f]{6,40}|\* \[new (?:branch|tag)\])\s+\S+ +-> +\S+",
    re.MULTILINE,
)
_ROWS: tuple[tuple[OutwardKind, re.Pattern[str]], ...] = (
    (
        PUBLISH,
        late(
            _MARK + r"[Pp]ublished (?!locally)(?:package |version )?@?[\w./-]*(?:@| v?"
            r"|==)?v?\d+\.\d+[\w.+-]*(?! locally)\b[^\n]{0,80}"
            r"|^View at:?\s*\n?https://\S+/(?:project|package)s?/\S+",
            re.MULTILINE,
        ),
    ),
    (
        DEPLOY,
        late(
            _MARK + r"[Dd]eployed\b[^\n]{0,60}\bto (?:production|prod|staging|live|https://)[^\n]{0,60}"
            r"|" + _MARK + r"[Dd]eployment (?:to \S+ )?(?:complete[d]?|succeeded|successful|finished)\b[^\n]{0,60}",
            re.MULTILINE,
        ),
    ),
    (
        MESSAGE,
        late(
            _MARK + r"(?:[Ee]-?mail|[Mm]ail|[Mm]essage|[Nn]otification|[Ii]nvitation|SMS)s? (?:was |were "
            r"|successfully )?sent\b[^\n]{0,80}"
            r"|" + _MARK + r"[Ss]ent (?:an? |the |\d+ )?(?:e-?mail|mail|message|notification|invitation"
            r"|SMS)s?\b[^\n]{0,80}",
            re.MULTILINE,
        ),
    ),
    (
        PAYMENT,
        late(
            _MARK + r"(?:[Pp]ayment|[Rr]efund|[Tt]ransfer) (?:of \S+ (?:\w{3} )?)?(?:was )?(?:succeeded|successful"
            r"|completed|processed|captured|sent)\b"
            r"[^\n]{0,80}",
            re.MULTILINE,
        ),
    ),
)
_UNREAL = late(
    r"dry.?run|simulat|\bmock|\bfake|\bstub|\bwould (?:be |have )?(?:publish|deploy|sen[dt]|push)|localhost"
    r"|127\.0\.0\.1"
    r"|\bexample\.(?:com|dev|org)\b|sandbox|test mode|emulator|\blocally\b|no-op|verdaccio",
    re.IGNORECASE,
)
_WITHIN = late(
    r"\b(?:queue|worker|topic|broker|web ?socket|socket|thread|folder|directory|console|stdout)\b", re.IGNORECASE
)
"""Where what a program sends or puts somewhere stays within it."""
_TESTS = late(r"\b\d+ (?:tests? )?pass(?:ed|ing)\b|^(?:PASS|FAIL|ok|not ok)\b|^=+ test session", re.MULTILINE)


def output_effects(output: str) -> Iterator[tuple[OutwardKind, str]]:
    """What an output says has happened outside, with the words that say so."""
    text = output[:_LONGEST] if len(output) <= 2 * _LONGEST else output[:_LONGEST] + output[-_LONGEST:]
    pushed = _PUSHED.search(text)
    if pushed is not None and "dry run" not in text.lower():
        yield PUSH, pushed[0].strip()
    if _UNREAL.search(text) or _TESTS.search(text):
        return
    for kind, pattern in _ROWS:
        found = pattern.search(text)
        if found is not None and _WITHIN.search(found[0]) is None:
            yield kind, found[0].strip()
