"""The same figures day by day, or week by week, month by month, year by year; and how often something
occurs, week by week."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from operator import itemgetter

from analyzer.audit.figures.metrics import SHARES
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Week
from analyzer.model.audit_index import Bin, Unit

_MOST: tuple[tuple[Unit, int], ...] = (("day", 31), ("week", 270), ("month", 1_500))
"""Up to so many days in all the unit is worth its place."""
_DAYS = "SELECT min(start('day', started_at)), max(start('day', started_at)) FROM sessions"
_FIGURES = f"""SELECT start(?, started_at) AS begins, count(*) AS sessions, {SHARES} FROM sessions
GROUP BY 1 HAVING begins IS NOT NULL ORDER BY 1"""


def over_time(tables: Tables) -> tuple[list[Bin], Unit]:
    """The sessions whose beginning is recorded, by the date that the log gives it; the unit is such that there are
    about forty bins at most. Stretches without sessions have no bin."""
    first, last = next(tables.rows(_DAYS))
    if first is None:
        return [], "day"
    days = (date.fromisoformat(last) - date.fromisoformat(first)).days
    unit: Unit = next((name for name, most in _MOST if days < most), "year")
    records = list(tables.records(_FIGURES, (unit,)))
    starts = [date.fromisoformat(record["begins"]) for record in records]
    shown = itemgetter("begins", "sessions", "success_recorded", "success_judged", "loop_rate")
    return [
        Bin(_number(starts[0], start, unit), *shown(record)) for start, record in zip(starts, records, strict=True)
    ], unit


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
        rows = tables.rows("SELECT start('week', started_at), count(*) FROM sessions GROUP BY 1")
        self._all: dict[str, int] = {week: sessions for week, sessions in rows if week is not None}
        last = max(map(date.fromisoformat, self._all), default=date.min)
        # A date at the very beginning of the calendar has no weeks before it.
        weeks = range(MOST_WEEKS if last.year > 1 else 0)
        starts = [(last - timedelta(weeks=number)).isoformat() for number in reversed(weeks)]
        first = next((place for place, start in enumerate(starts) if start in self._all), MOST_WEEKS)
        self._starts = starts[first:] if first < MOST_WEEKS - 1 else []

    def of(self, counts: Mapping[str | None, int]) -> list[Week]:
        """How many of some sessions, counted by the week that `start_of` gives, began in each week, and how many did in
        all."""
        return [Week(start=start, sessions=counts.get(start, 0), of=self._all.get(start, 0)) for start in self._starts]
