"""The comparison of two sets of sessions as one HTML page: what the Markdown page says, with a picture of both
sides."""

from __future__ import annotations

from markupsafe import Markup

from analyzer.model.comparison import Comparison, MetricChange
from analyzer.report.comparison import context_of
from analyzer.report.figures import difference, metric_amount
from analyzer.report.html.page import page
from analyzer.report.picture.chart import Bar, Note, pair_chart, responsive
from analyzer.report.picture.scale import Scale

_KINDS = {"better": "good", "worse": "bad", "more": "warn", "less": "good"}


def render(comparison: Comparison) -> str:
    """The comparison as a page that needs nothing else, ending in a newline."""
    context = context_of(comparison)
    context |= {
        "headline": comparison.verdict[0] if comparison.verdict else "",
        "tone": _tone(comparison),
        "chart": _chart(comparison),
    }
    before, after = context["names"]
    return page(f"{before} against {after}", "comparison.html.j2", context, parts=("chart", "sortable", "comparison"))


def _tone(comparison: Comparison) -> tuple[str, str]:
    """A class and a word for the whole, which says nothing that the headline below it doesn't bear out."""
    success = next((row for row in comparison.metrics if row.metric == "success_rate"), None)
    elsewhere = bool(comparison.regressions)
    if comparison.same:
        return "muted", "The same recordings"
    if success is None or success.difference is None:
        return ("bad", "Success unknown, worse elsewhere") if elsewhere else ("warn", "Success unknown")
    if success.reading == "better":
        return ("warn", "More success, and worse elsewhere") if elsewhere else ("good", "Better beyond chance")
    if success.reading == "worse":
        return "bad", "Worse beyond chance"
    few = success.reading == "too few"
    word = "Too few to tell" if few else "No change of success shown"
    return ("bad", f"{word}, worse elsewhere") if elsewhere else ("warn" if few else "muted", word)


def _chart(comparison: Comparison) -> Markup:
    """Both sides of every metric, each on a scale of its own."""
    rows = [row for row in comparison.metrics if row.difference is not None]
    if not rows:
        return Markup()
    pairs = [(row.title, _bar("A", row.typical_before, row), _bar("B", row.typical_after, row)) for row in rows]
    about = " ".join(f"{title}: {before.shown} and {after.shown}." for title, before, after in pairs)
    about = f"A, open, and B, filled, each pair on a scale of its own. {about}"
    # What a bar says stands at its end, so that the longest leaves room for it.
    scale = Scale(1.3, (), "share")
    notes = [_note(row) for row in rows]
    return responsive(
        lambda width: pair_chart(pairs, scale, width=width, title="Before and after", description=about, notes=notes)
    )


def _bar(side: str, value: float | None, row: MetricChange) -> Bar:
    longest = max(row.typical_before or 0.0, row.typical_after or 0.0)
    return Bar(side, (value or 0.0) / longest if longest else 0.0, metric_amount(value, row.unit))


def _note(row: MetricChange) -> Note:
    """The change with its interval, and what is known of it."""
    shown = difference(row, row.difference or 0.0)
    if row.low is not None and row.high is not None:
        shown = f"{shown} ({difference(row, row.low)} to {difference(row, row.high)})"
    kind = _KINDS.get(row.reading, "muted")
    return Note(shown, "beyond chance" if row.reading in _KINDS else row.reading, kind)
