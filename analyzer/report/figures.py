"""Figures for people: shares with what they're of, amounts with their units, dates, values of a comparison's metrics
and their differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.model.session_summary import BesideRow, ModelRow, RecordedEnd, SessionSummary
from analyzer.report.safe import code
from analyzer.text import english
from analyzer.text.clip import clip_words
from analyzer.text.english import dollars, duration, number

if TYPE_CHECKING:
    from analyzer.model.audit_figures import Count, SessionRef, Share
from analyzer.model.comparison import MetricChange

_NAMES = 3


def models(session: SessionSummary) -> list[ModelRow]:
    """The models that asked for actions, where they are several or none is the session's; else none."""
    rows = session.models
    return rows if len(rows) > 1 or (rows and rows[0].model != session.model) else []


def percent(value: float | None) -> str:
    """`54%`; a share that is not 0 or 1 is never shown as `0%` or `100%`."""
    if value is None:
        return "unknown"
    if 0 < value < 0.01:
        return "<1%"
    return ">99%" if 0.99 < value < 1 else f"{100 * value:.0f}%"


def interval(part: Share) -> str:
    """`51-57%`; empty where there's nothing to take a share of."""
    if part.low is None or part.high is None:
        return ""
    return f"{100 * part.low:.0f}-{100 * part.high:.0f}%"


def rate(part: Share) -> str:
    """A share for a table: `54% of 57 (41-66%)`, where the bracket is the 95% interval; a dash where there's nothing to
    take it of."""
    return f"{percent(part.share)} of {number(part.of)} ({interval(part)})" if part.of else "-"


def amount(value: float | None, what: str = "") -> str:
    """A number with its unit: `seconds`, `usd`, or none; a dash where it's unknown."""
    if value is None:
        return "-"
    if what == "seconds":
        return duration(value)
    if what == "usd":
        return f"${value:,.2f}".replace(",", " ") if value >= 0.01 or not value else f"${value:.4f}"
    if value < 100 and value != int(value):
        return f"{value:.1f}"
    return number(round(value))


def plural(count: int, word: str, many: str = "") -> str:
    """`1 session`, `1 299 sessions`."""
    return english.plural(count, word, many, number=number)


def day(time: str | None) -> str:
    """The date of an RFC 3339 time; empty where there's none."""
    return (time or "")[:10]


def days(first: str | None, last: str | None) -> str:
    """`2025-11-14`, or `2025-11-14 to 2025-12-01`; a dash where nothing is dated."""
    if not first or not last:
        return "-"
    return day(first) if day(first) == day(last) else f"{day(first)} to {day(last)}"


def names(counts: Sequence[Count], most: int = _NAMES, more: int = 0) -> str:
    """`a (12), b (3) and 4 more`, each name as a code span; `more` are those that are not in the list."""
    shown = ", ".join(f"{code(entry.value, 60) or '(empty)'} ({number(entry.sessions)})" for entry in counts[:most])
    left = max(0, len(counts) - most) + more
    return f"{shown} and {number(left)} more" if left > 0 else shown


def tail(path: str, limit: int = 80) -> str:
    """A path that is too long loses its beginning, never the file's name."""
    return path if len(path) <= limit else f"…{path[1 - limit :]}"


def bars(text: str) -> str:
    """Markdown in which a bar doesn't end a table's cell."""
    return text.replace("|", "\\|")


def link(ref: SessionRef, limit: int = 40) -> str:
    """A session's id, as a link where there's something to click."""
    label = code(ref.id, limit) or code(ref.session)
    return f"[{label}]({ref.link})" if ref.link else label


def outcome(word: str) -> str:
    """`limit_reached` as people write it."""
    return word.replace("_", " ")


def phrase(kind: str) -> str:
    """`repeated-call` as people write it."""
    return kind.replace("-", " ").replace("_", " ")


def recorded_end(end: RecordedEnd) -> str:
    """What the log says about the end, with the step after which it came."""
    words = [code(clip_words(end.status, 80))] if end.status else [str(end.ending)]
    if end.detail and end.detail != end.status:
        words.append(f"({clip_words(end.detail.rstrip('.'), 200)})")
    return " ".join(words) + (f", after step {end.after_step}" if end.after_step is not None else "")


def replaced(summary: SessionSummary) -> str:
    """What placeholders replace, by the rules that found it, and where it was: `e-mail 2 (first at step 3)`."""
    parts = []
    for rule, count in summary.redacted.items():
        step = summary.redacted_at.get(rule)
        where = "" if step is None else f" (first at step {step})" if step else " (first before step 1)"
        where = " (names of users in paths, shown as user-1 and so on)" if rule == "home-directory" else where
        parts.append(f"{rule} {number(count)}{where}")
    return ", ".join(parts)


def beside(row: BesideRow) -> str:
    """What a model of the evaluation used, in prose: `scorer tide-2: 1 200 tokens in, 30 tokens out, $0.02`."""
    counts = (row.tokens.input, "tokens in"), (row.tokens.output, "tokens out")
    parts = [f"{number(count)} {word}" for count, word in counts if count is not None]
    if row.cost_usd is not None:
        parts.append(dollars(row.cost_usd))
    name = f" {code(row.model, 80)}" if row.model else ""
    return f"{row.role}{name}{': ' if parts else ''}{', '.join(parts)}"


def points(difference: float) -> str:
    """Percentage points with a sign: `+21`, `-3`; below one with a digit."""
    rounded = round(difference * 100, 0 if abs(difference) >= 0.0095 else 1)
    return f"{rounded:+g}" if rounded else "0"


_TIMES = 3.0
"""The ratio from which on a change is said in times rather than in percent."""


def factor(ratio: float) -> str:
    """A ratio as a change: `+18%`, `-34%`, from three times on `x3.4`."""
    change = round((ratio - 1) * 100)
    return f"x{ratio:.1f}" if ratio >= _TIMES else f"{change:+d}%" if change else "0%"


def metric_amount(value: float | None, unit: str) -> str:
    """A value with its unit, rounded as far as people read it; empty where it's unknown."""
    if value is None:
        return ""
    if unit == "share":
        return percent(value)
    if unit == "seconds":
        return duration(value)
    if unit == "usd":
        return f"${value:,.2f}" if value >= 0.1 else f"${value:.3g}"
    if unit == "tokens":
        return number(round(value))
    return f"{value:.1f}".removesuffix(".0") if value < 100 else number(round(value))


def difference(row: MetricChange, value: float) -> str:
    """A difference of a metric, or an end of its interval, all of one row in the same way."""
    if row.scale == "ratio":
        large = any(end is not None and end >= _TIMES for end in (row.difference, row.high))
        return f"x{value:.{1 if value >= 1 else 2}f}" if large else factor(value)
    if row.unit == "share":
        return points(value)
    return f"{value:+.{2 if abs(value) < 1 else 1 if abs(value) < 10 else 0}f}" if value else "0"
