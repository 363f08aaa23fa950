"""The same figures day by day, or week by week, month by month, year by year."""

from __future__ import annotations

from datetime import date, timedelta

import pandas

from analyzer.audit.figures.metrics import can_show_a_loop, recorded, share
from analyzer.model.audit_index import Bin, Unit
from analyzer.model.words import OutcomeStatus

_MOST: tuple[tuple[Unit, int], ...] = (("day", 31), ("week", 270), ("month", 1_500))
"""Up to so many days in all the unit is worth its place."""


def over_time(sessions: pandas.DataFrame) -> tuple[list[Bin], Unit]:
    """The sessions whose beginning is recorded, by the date that the log gives it; the unit is such that there are
    about forty bins at most. Stretches without sessions have no bin."""
    days = pandas.Series([day_of(value) for value in sessions["started_at"]], index=sessions.index, dtype="object")
    known = days.dropna()
    if known.empty:
        return [], "day"
    first, last = min(known), max(known)
    unit: Unit = next((name for name, most in _MOST if (last - first).days < most), "year")
    dated = sessions.loc[known.index]
    by_the_log = recorded(dated)
    judged = (dated["outcome"] != OutcomeStatus.UNKNOWN.value) & ~by_the_log
    good = dated["outcome"] == OutcomeStatus.SUCCEEDED.value
    starts = pandas.Series([_start(value, unit) for value in known], index=known.index, dtype="object")
    figures = pandas.DataFrame(
        {
            "start": starts,
            "recorded": by_the_log,
            "recorded_good": by_the_log & good,
            "judged": judged,
            "judged_good": judged & good,
            "able": can_show_a_loop(dated),
            "looping": (dated["loops"] > 0) & can_show_a_loop(dated),
        }
    )
    begin = _start(first, unit)
    groups = figures.groupby("start", sort=True)
    columns = ["recorded", "recorded_good", "judged", "judged_good", "able", "looping"]
    sums, sizes = groups[columns].sum(), groups.size()
    return [
        Bin(
            _number(begin, start, unit),
            start.isoformat(),
            int(sizes[start]),
            share(int(recorded_good), int(by_log)),
            share(int(judged_good), int(by_course)),
            share(int(looping), int(able)),
        )
        for start, by_log, recorded_good, by_course, judged_good, able, looping in sums.itertuples(name=None)
    ], unit


def day_of(value: object) -> date | None:
    """The day of a recorded time, as the log gives it; None for what is no time."""
    if not isinstance(value, str):
        return None
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None


def _start(day: date, unit: Unit) -> date:
    if unit == "week":
        return week_of(day)
    if unit == "month":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if unit == "year" else day


def week_of(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday()) if day.toordinal() > day.weekday() else day


def _number(first: date, start: date, unit: Unit) -> int:
    if unit == "year":
        return start.year - first.year
    if unit == "month":
        return 12 * (start.year - first.year) + start.month - first.month
    return (start - first).days // (7 if unit == "week" else 1)
