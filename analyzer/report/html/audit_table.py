"""The table of an audit's sessions: the words of a row, and the columns for the page's script."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from analyzer.model.audit_index import AuditIndex, SessionLine
from analyzer.model.audit_report import AuditReport, FindingTheme
from analyzer.report import figures
from analyzer.report.audit import theme_name
from analyzer.report.safe import clip

TITLE, NAME, MORE = 100, 60, 600
"""The longest title, name and words to search in, in characters."""


def data_of(index: AuditIndex, report: AuditReport) -> dict[str, object]:
    """The same for all sessions, column by column in the order of the lines; what repeats is a number into a list of
    words."""
    lines, names = index.lines, about_names(report)
    made: dict[str, object] = {
        "sessions": index.sessions,
        "themes": [clip(theme_name(theme), NAME) for theme in report.themes],
        "theme_keys": [key_of(theme) for theme in report.themes],
        "groups": [clip(group.template, TITLE) for group in report.groups],
        "group_keys": [group.fingerprint for group in report.groups],
        "key": "".join(line.session for line in lines),
        "page": "".join({".html": "h", ".md": "m"}.get(line.page or "", "-") for line in lines),
        "id": [clip(line.id, NAME) for line in lines],
        "actions": [line.actions for line in lines],
        "loops": [line.loop_actions for line in lines],
        "seconds": [None if line.seconds is None else round(line.seconds, 1) for line in lines],
        "tokens": [line.tokens for line in lines],
        "usd": [line.usd for line in lines],
        "started": [(line.started or "")[:16] for line in lines],
        "thumbnail": [line.thumbnail for line in lines],
        "has": [list(line.themes) for line in lines],
        "hit": [list(line.groups) for line in lines],
        "more": [clip(line.words, MORE) for line in lines],
    }
    made["title"] = _numbered([title_of(line) for line in lines])
    for name in ("agent", "model", "format", "family", "outcome"):
        values = [getattr(line, name) for line in lines]
        made[name] = _numbered([None if value is None else clip(value, NAME) for value in values])
    made["worst"] = _numbered([line.worst for line in lines])
    made["about"] = _numbered([about(names, line) or None for line in lines])
    return made


def about_names(report: AuditReport) -> dict[str, str]:
    """What people call each `detector/kind`."""
    return {f"{theme.detector}/{theme.kind}": theme_name(theme) for theme in report.themes}


def key_of(theme: FindingTheme) -> str:
    """What the page's address calls a kind of finding."""
    return clip(f"{theme.detector}/{theme.kind}", 2 * NAME)


def about(names: Mapping[str, str], line: SessionLine) -> str:
    """What its worst finding is called."""
    return clip(names.get(line.about, figures.phrase(line.about)), NAME) if line.about else ""


def title_of(line: SessionLine) -> str:
    """What a session is called: its title or task, else its id."""
    return clip(line.title or line.id, TITLE) or line.session


def time_in_short(seconds: float | None) -> str:
    """`42 s`, `4 min`, `2.5 h`, `3 days`; empty where it's unknown."""
    if seconds is None:
        return ""
    for size, most, unit in ((1, 60, "s"), (60, 3_600, "min"), (3_600, 172_800, "h")):
        if seconds < most:
            return f"{_digits(seconds / size, few=unit != 'min')} {unit}"
    return f"{_digits(seconds / 86_400, few=False)} days"


def amount_in_short(value: int | None) -> str:
    """`950`, `12k`, `1.2M`; empty where it's unknown."""
    if value is None:
        return ""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{_digits(value / size)}{unit}"
    return str(value)


def _digits(value: float, *, few: bool = True) -> str:
    """As the page's script rounds: halves upwards, to a tenth where there are `few`."""
    return f"{math.floor(value * 10 + 0.5) / 10:g}" if few and value < 10 else str(math.floor(value + 0.5))


def _numbered(values: Sequence[str | None]) -> dict[str, list[object]]:
    """The different values, the most frequent first, and for each entry the number of its value; -1 where it's
    unknown."""
    counts = Counter(value for value in values if value is not None)
    words = sorted(counts, key=lambda word: (-counts[word], word))
    numbers = {word: number for number, word in enumerate(words)}
    return {"words": list(words), "of": [-1 if value is None else numbers[value] for value in values]}
