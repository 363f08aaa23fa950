"""Values of a comparison's metrics and their differences, for tables and for sentences."""

from __future__ import annotations

from analyzer.model.comparison import MetricChange
from analyzer.report.figures import percent
from analyzer.text.english import duration, number


def points(difference: float) -> str:
    """Percentage points with a sign: `+21`, `-3`; below one with a digit."""
    rounded = round(difference * 100, 0 if abs(difference) >= 0.0095 else 1)
    return f"{rounded:+g}" if rounded else "0"


def factor(ratio: float) -> str:
    """A ratio as a change: `+18%`, `-34%`, from three times on `x3.4`."""
    change = round((ratio - 1) * 100)
    return f"x{ratio:.1f}" if ratio >= 3 else f"{change:+d}%" if change else "0%"


def amount(value: float, unit: str) -> str:
    """A value with its unit, rounded as far as people read it."""
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
    """A difference of a metric, or an end of its interval."""
    if row.scale == "ratio":
        return factor(value)
    if row.unit == "share":
        return points(value)
    return f"{value:+.{2 if abs(value) < 1 else 1 if abs(value) < 10 else 0}f}" if value else "0"
