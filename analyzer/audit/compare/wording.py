"""Numbers of a comparison in words, for sentences."""

from __future__ import annotations

from analyzer.model.comparison import Change, Frequency, MetricChange
from analyzer.report.differences import difference
from analyzer.text.english import plural


def interval(row: MetricChange, confidence: float) -> str:
    """`95% interval -14 to +26`, or nothing where there's none."""
    if row.low is None or row.high is None:
        return ""
    return f"{confidence * 100:g}% interval {difference(row, row.low)} to {difference(row, row.high)}"


def basis(row: Change) -> str:
    """What a row rests on: `40 tasks`."""
    if row.design == "sets":
        return f"{many(row.sessions_before, 'session')} of A and {row.sessions_after} of B"
    if row.design == "pairs":
        return many(row.units, "task")
    return f"{many(row.units, 'task')} with {row.sessions_before} and {row.sessions_after} sessions"


def many(count: int, noun: str) -> str:
    """`1 task`, `2 tasks`."""
    return plural(count, noun, number="{:,}".format)


def counted(row: Frequency) -> str:
    """`3 of 40 -> 12 of 40 sessions`."""
    return f"{row.count_before} of {row.sessions_before} -> {row.count_after} of {row.sessions_after} sessions"
