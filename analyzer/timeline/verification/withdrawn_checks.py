"""Whether the user takes back a check that was listed, sees to it, or takes it on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.task.checklist import ListedCheck
from analyzer.text.late import late

_LONGEST = 8_000
_TAKEN_BACK = late(
    r"\b(?:skip|no need|don['’]t (?:need|bother|run)|without running|forget|leave out|brauchst|nicht n(?:ö|oe)tig"
    r"|(?:ü|ue)berspring\w*|pas besoin|inutile|saute\w*|no hace falta|omite)\b|不用|不需要|无需|跳过",
    re.IGNORECASE,
)
_SEEN_TO = late(
    r"\b(?:looks? (?:good|great|fine|right)|works?|I(?:['’]ve| have)? (?:checked|tested|verified|looked)"
    r"|sieht gut aus|habe ich (?:\w+ ){0,2}(?:gepr(?:ü|ue)ft|getestet|angesehen)"
    r"|j['’]ai (?:vérifié|verifie|testé|teste))\b"
    r"|看起来不错|已经?(?:检查|测试|验证)",
    re.IGNORECASE,
)
_BY_USER = late(
    r"\bI(?:['’]ll| will| can| want to|['’]m going to)\b[^.\n]{0,60}\b(?:myself|look|check|test|run|start|verify|try)\b"
    r"|\bleave\b[^.\n]{0,60}\bto me\b|\b(?:mach|prüf|teste|starte) ich selbst\b"
    r"|\bje (?:le |la |les )?\w+ moi-même\b|我自己",
    re.IGNORECASE,
)
"""Words by which the user takes a check on."""


def withdrawn(check: ListedCheck, later: Sequence[str]) -> bool:
    """Whether the user says later that a check isn't needed, or sees to it."""
    return any(
        _SEEN_TO.search(text[:_LONGEST]) is not None
        or _BY_USER.search(text[:_LONGEST]) is not None
        or (_TAKEN_BACK.search(text[:_LONGEST]) is not None and check.words[-1].casefold() in text.casefold())
        for text in later
    )
