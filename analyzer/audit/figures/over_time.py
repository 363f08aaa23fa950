"""The same figures day by day, or week by week, month by month, year by year; and how often something
occurs, week by week."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from analyzer.audit.figures.counts import day_of, week_of
from analyzer.audit.figures.metrics import ABLE, GOOD, KNOWN, RECORDED, share
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Week
from analyzer.model.audit_index import Bin, Unit

_MOST: tuple[tuple[Unit, int], ...] = (("day", 31), ("week", 270), ("month", 1_500))
"""Up to so many days in all the unit is worth its place."""
_JUDGED = f"({KNOWN} AND NOT {RECORDED})"
_FIGURES = f"""SELECT started_at, 1, {RECORDED}, {RECORDED} AND {GOOD}, {_JUDGED}, {_JUDGED} AND {GOOD}, {ABLE},
  loops > 0 AND {ABLE} FROM sessions WHERE started_at IS NOT NULL"""
_NONE = (0,) * 7


def over_time(tables: Tables) -> tuple[list[Bin], Unit]:
    """The sessions whose beginning is recorded, by the date that the log gives it; the unit is such that there are
    about forty bins at most. Stretches without sessions have no bin."""
    days: dict[date, list[int]] = {}
    for started, *figures in tables.rows(_FIGURES):
        day = day_of(started)
        if day is not None:
            days[day] = [old + new for old, new in zip(days.get(day, _NONE), figures, strict=True)]
    if not days:
        return [], "day"
    first, last = min(days), max(days)
    unit: Unit = next((name for name, most in _MOST if (last - first).days < most), "year")
    bins: dict[date, list[int]] = {}
    for day, figures in days.items():
        start = _start(day, unit)
        bins[start] = [old + new for old, new in zip(bins.get(start, _NONE), figures, strict=True)]
    begin = _start(first, unit)
    return [
        Bin(
            _number(begin, start, unit),
            start.isoformat(),
            sessions,
            share(recorded_good, by_log),
            share(judged_good, by_course),
            share(looping, able),
        )
        for start, (sessions, by_log, recorded_good, by_course, judged_good, able, looping) in sorted(bins.items())
    ], unit


def _start(day: date, unit: Unit) -> date:
    if unit == "week":
        return week_of(day)
    if unit == "month":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if unit == "year" else day


def _number(first: date, start: date, unit: Unit) -> int:
    if unit == "year":
        return start.year - first.year
    if unit == "month":
        return 12 * (start.year - first.year) + start.month - first.month
    return (start - first).days // (7 if unit == "week" else 1)


MOST_WEEKS = 12
"""The weeks that are counted: the one in which the last dated session began, and those before it."""


class Weeks:
    """The last weeks of an audit. There are none where fewer than two of them hold a session."""

    def __init__(self, tables: Tables) -> None:
        rows = tables.rows("SELECT week(started_at), count(*) FROM sessions GROUP BY 1")
        self._all: dict[str, int] = {week: sessions for week, sessions in rows if week is not None}
        last = max(map(date.fromisoformat, self._all), default=date.min)
        # A date at the very beginning of the calendar has no weeks before it.
        weeks = range(MOST_WEEKS if last.year > 1 else 0)
        starts = [(last - timedelta(weeks=number)).isoformat() for number in reversed(weeks)]
        first = next((place for place, start in enumerate(starts) if start in self._all), MOST_WEEKS)
        self._starts = starts[first:] if first < MOST_WEEKS - 1 else []

    def of(self, counts: Mapping[str | None, int]) -> list[Week]:
        """How many of some sessions, counted by the week that `week_at` gives, began in each week, and how many did in
        all."""
        return [Week(start=start, sessions=counts.get(start, 0), of=self._all.get(start, 0)) for start in self._starts]
