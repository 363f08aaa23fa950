"""How often something occurs, week by week."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta

import pandas

from analyzer.audit.figures.over_time import day_of, week_of
from analyzer.model.audit_figures import Week

MOST_WEEKS = 12
"""The weeks that are counted: the one in which the last dated session began, and those before it."""


class Weeks:
    """The last weeks of an audit. There are none where fewer than two of them hold a session."""

    def __init__(self, sessions: pandas.DataFrame) -> None:
        days = ((str(key), day_of(value)) for key, value in sessions[["session", "started_at"]].itertuples(index=False))
        self._of = {key: week_of(day) for key, day in days if day is not None}
        last = max(self._of.values(), default=None)
        # A date at the very beginning of the calendar has no weeks before it.
        starts = [] if last is None or last.year < 2 else [last - timedelta(weeks=n) for n in range(MOST_WEEKS)]
        counts = Counter(self._of.values())
        first = min((start for start in starts if counts[start]), default=date.max)
        self._starts = [start for start in reversed(starts) if start >= first] if first != last else []
        self._all = counts

    def of(self, sessions: Iterable[object]) -> list[Week]:
        """How many of these sessions began in each week, and how many did in all."""
        counts = Counter(self._of.get(str(key)) for key in sessions)
        return [Week(start=start.isoformat(), sessions=counts[start], of=self._all[start]) for start in self._starts]
