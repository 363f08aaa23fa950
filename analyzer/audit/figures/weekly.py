"""How often something occurs, week by week."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache

from analyzer.audit.figures.over_time import day_of, week_of
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Week

MOST_WEEKS = 12
"""The weeks that are counted: the one in which the last dated session began, and those before it."""
_DAYS = "SELECT substr(started_at, 1, 10), count(*) FROM sessions WHERE started_at IS NOT NULL GROUP BY 1"


class Weeks:
    """The last weeks of an audit. There are none where fewer than two of them hold a session."""

    def __init__(self, tables: Tables) -> None:
        counts: Counter[date] = Counter()
        for day, sessions in tables.rows(_DAYS):
            week = week_at(day)
            if week is not None:
                counts[week] += sessions
        last = max(counts, default=None)
        # A date at the very beginning of the calendar has no weeks before it.
        starts = [] if last is None or last.year < 2 else [last - timedelta(weeks=n) for n in range(MOST_WEEKS)]
        first = min((start for start in starts if counts[start]), default=date.max)
        self._starts = [start for start in reversed(starts) if start >= first] if first != last else []
        self._all = counts

    def of(self, counts: Mapping[date | None, int]) -> list[Week]:
        """How many of some sessions, counted by the week that `week_at` gives, began in each week, and how many did in
        all."""
        return [
            Week(start=start.isoformat(), sessions=counts.get(start, 0), of=self._all[start]) for start in self._starts
        ]


@lru_cache(maxsize=10_000)
def week_at(moment: str | None) -> date | None:
    """The Monday of the week in which a session began at this time, or on this day; None for what is no time."""
    day = day_of(moment)
    return None if day is None else week_of(day)
