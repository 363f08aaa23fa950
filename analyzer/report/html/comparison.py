"""The comparison of two sets of sessions as one HTML page: what the Markdown page says, with pictures of the
changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from markupsafe import Markup

from analyzer.model.comparison import Comparison, MetricChange
from analyzer.report.comparison import context_of, p_value
from analyzer.report.differences import amount, difference
from analyzer.report.html.page import page
from analyzer.report.picture.chart import Bar, Row, pair_chart, responsive, row_chart
from analyzer.report.picture.scale import Scale, Unit, scale_of

_KINDS = {"better": "good", "worse": "bad", "more": "warn", "less": "good"}
_UNITS: tuple[tuple[Unit, str], ...] = (
    ("share", "Shares of sessions and actions"),
    ("count", "Per session"),
    ("seconds", "Time per session"),
    ("tokens", "Tokens per session"),
    ("usd", "USD per session"),
)


def render(comparison: Comparison) -> str:
    """The comparison as a page that needs nothing else, ending in a newline."""
    context = context_of(comparison)
    context |= {
        "headline": comparison.verdict[0] if comparison.verdict else "",
        "tone": _tone(comparison),
        "sides": _sides(comparison),
        "changes": _changes(comparison),
    }
    return page(
        f"{context['names'][0]} against {context['names'][1]}",
        "comparison.html.j2",
        context,
        parts=("chart", "sortable", "comparison"),
    )


def _tone(comparison: Comparison) -> tuple[str, str]:
    """A class and a word for the whole."""
    success = next((row for row in comparison.metrics if row.metric == "success_rate"), None)
    better = success is not None and success.reading == "better"
    if comparison.regressions:
        return ("warn", "More success, and worse elsewhere") if better else ("bad", "Worse beyond chance")
    if better:
        return "good", "Better beyond chance"
    return (
        ("warn", "Too few to tell")
        if success is not None and success.reading == "too few"
        else ("muted", "No change of success shown")
    )


def _sides(comparison: Comparison) -> list[tuple[str, Markup]]:
    """Bars of both sides, one picture per unit."""
    made = []
    for unit, title in _UNITS:
        rows = [row for row in comparison.metrics if row.unit == unit and row.difference is not None]
        if not rows:
            continue
        pairs = [(_title(row), _bar("A", row.before, row), _bar("B", row.after, row)) for row in rows]
        scale = scale_of([value for row in rows for value in (row.before, row.after)], unit, whole=True)
        about = f"Bars of A, open, and B, filled. {_description(rows)}"
        made.append((title, responsive(partial(_pair, pairs, scale, title, about))))
    return made


def _pair(pairs: list[tuple[str, Bar, Bar]], scale: Scale, title: str, about: str, width: int) -> Markup:
    return pair_chart(pairs, scale, width=width, title=title, description=about)


def _bar(side: str, value: float | None, row: MetricChange) -> Bar:
    return Bar(side, value, amount(value, row.unit) if value is not None else "")


def _title(row: MetricChange) -> str:
    return f"{row.title}, median" if row.scale == "ratio" else row.title


def _description(rows: list[MetricChange]) -> str:
    return " ".join(
        f"{row.title}: {amount(row.before or 0.0, row.unit)} and {amount(row.after or 0.0, row.unit)}." for row in rows
    )


def _changes(comparison: Comparison) -> list[tuple[str, Markup]]:
    """The differences with their intervals, one picture per scale, with a line where nothing changes."""
    level = f"{comparison.confidence * 100:g}% interval"
    sorts: tuple[tuple[str, Unit, float, Callable[[MetricChange], bool]], ...] = (
        (f"B minus A, in percentage points, with the {level}", "points", 0.0, lambda row: row.unit == "share"),
        (
            f"B minus A, per session, with the {level}",
            "count",
            0.0,
            lambda row: row.scale == "mean" and row.unit != "share",
        ),
        (f"B against A, the typical session, with the {level}", "factor", 1.0, lambda row: row.scale == "ratio"),
    )
    made = []
    for title, unit, nothing, chosen in sorts:
        found = [row for row in comparison.metrics if row.difference is not None and chosen(row)]
        if not found:
            continue
        scale = scale_of([value for row in found for value in (row.difference, row.low, row.high)], unit)
        rows = [_row(row) for row in found]
        about = " ".join(f"{row.label}: {row.shown}." for row in rows)
        draw = partial(_rows, rows, scale, title, about, nothing)
        made.append((title, responsive(draw)))
    return made


def _rows(rows: list[Row], scale: Scale, title: str, about: str, nothing: float, width: int) -> Markup:
    return row_chart(rows, scale, width=width, title=title, description=about, reference=nothing)


def _row(row: MetricChange) -> Row:
    shown = difference(row, row.difference) if row.difference is not None else ""
    p = p_value(row.p_corrected)
    interval = (
        f"{difference(row, row.low)} to {difference(row, row.high)}"
        if row.low is not None and row.high is not None
        else "no interval"
    )
    beyond = row.reading in _KINDS
    words = f"{shown} ({interval})"
    return Row(
        row.title,
        row.difference,
        words,
        row.low,
        row.high,
        f"{row.title}: {words}{f', p {p}' if p else ''}, {row.reading}",
        shape="diamond" if beyond else "ring",
        kind=_KINDS.get(row.reading, "muted"),
    )
