"""The same figures for parts of the sessions: by agent, model, task family and format, by version, and day by day up to
year by year; what the parts cost, and what of it was repeated, discarded or waiting; and how often something occurs,
week by week."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from operator import itemgetter
from typing import Literal

from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.metrics import ABLE, SHARES, TOKENS, WORKING_TIME
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import AuditSpending, SpendingBy, SpendingRow, WasteSum, Week
from analyzer.model.audit_index import Bin, Unit
from analyzer.model.audit_report import Breakdown, GroupRow
from analyzer.text.names import in_order

FEW = 10
"""A group with fewer sessions is too small to say much."""
_MOST = 200
_PROPERTIES: tuple[Literal["agent", "model", "family", "format"], ...] = ("agent", "model", "family", "format")
_FIGURES = f"""SELECT {{by}} AS value, count(*) AS sessions, count(*) < {FEW} AS few, {SHARES},
  rounded(median(CASE WHEN {ABLE} THEN actions END), 3) AS actions,
  rounded(median({WORKING_TIME}), 3) AS seconds, rounded(median({TOKENS}), 3) AS tokens,
  rounded(min(1.0, sum(loop_actions) * 1.0 / nullif(sum(CASE WHEN {ABLE} THEN actions END), 0)), 4) AS loop_share,
  min(started_at) AS first, max(started_at) AS last
FROM sessions WHERE {{where}} GROUP BY 1 ORDER BY value IS NULL, sessions DESC, value"""
_ABOUT = """SELECT {by}, about, count(*) AS found FROM sessions WHERE about IS NOT NULL AND {where}
GROUP BY 1, 2 ORDER BY found, about DESC"""
_VERSIONS = (
    "SELECT agent FROM sessions GROUP BY 1 HAVING count(DISTINCT agent_version) > 1 AND agent NOT NULL ORDER BY 1"
)


def breakdowns(tables: Tables) -> list[Breakdown]:
    """One breakdown per property with at least two values, then one per agent with at least two recorded versions."""
    found = []
    for by in _PROPERTIES:
        rows = _rows(tables, by)
        known = [row for row in rows if row.value is not None]
        if len(known) > 1:
            kept = known[:_MOST] + [row for row in rows if row.value is None]
            found.append(Breakdown(by=by, rows=kept, values=len(known)))
    for (agent,) in list(tables.rows(_VERSIONS)):
        rows = _rows(tables, "agent_version", "agent_version IS NOT NULL AND agent = ?", agent)
        # Versions that no dated session has come last, in their natural order.
        rows.sort(key=lambda row: (row.first is None, row.first or "", in_order(row.value or "")))
        found.append(Breakdown(by="version", of=agent, rows=rows[:_MOST], values=len(rows)))
    return found


def _rows(tables: Tables, by: str, where: str = "1", *values: str) -> list[GroupRow]:
    """The figures of the sessions that have one value of a column in common."""
    # The last is the most frequent one, of equally frequent ones the first by name.
    about = {value: (what, found) for value, what, found in tables.rows(_ABOUT.format(by=by, where=where), values)}
    rows = []
    for record in tables.records(_FIGURES.format(by=by, where=where), values):
        finding, sessions = about.get(record["value"], (None, 0))
        record |= {"few": bool(record["few"]), "finding": finding, "finding_sessions": sessions}
        rows.append(GroupRow(**record))
    return rows


_MOST_SUMS = 50
_SPENT_BY: dict[Literal["week", "project", "agent", "model"], str] = {
    "week": "start('week', started_at)",
    "project": "project",
    "agent": "agent",
    "model": "model",
}
"""What the sums are made by, as SQL expressions."""
_SUMS = f"""SELECT {{by}} AS value, count(*) AS sessions, rounded(exact_sum(spent_usd), 6) AS usd,
  count(spent_usd) AS priced, CAST(exact_sum({TOKENS}) AS INTEGER) AS tokens, sum(actions) AS actions,
  sum(wasted_actions) AS wasted, rounded(exact_sum(wasted_usd), 6) AS wasted_usd
FROM sessions GROUP BY 1 ORDER BY value IS NULL, value"""
_WASTE = """SELECT waste.key AS kind, sum(waste.value) AS actions, count(*) AS sessions
FROM sessions, json_each(nullif(wasted_on, '')) AS waste GROUP BY 1 ORDER BY actions DESC, kind"""
_UNPRICED = "SELECT model.value, count(*) FROM sessions, json_each(nullif(unpriced, '')) AS model GROUP BY 1"


def spending(tables: Tables) -> AuditSpending | None:
    """The sums over all sessions and by their properties; None where neither cost nor waste is known of any."""
    everything = next(_sums(tables, "NULL"), None)
    if everything is None or (not everything.priced and not everything.wasted):
        return None
    by = []
    for name, expression in _SPENT_BY.items():
        rows = list(_sums(tables, expression))
        if name == "week":
            rows.sort(key=lambda row: row.value or "")
        else:
            rows.sort(key=lambda row: (-(row.usd or 0.0), -row.actions, row.value or ""))
        if sum(row.value is not None for row in rows) > 1:
            shown = rows[-_MOST_SUMS:] if name == "week" else rows[:_MOST_SUMS]
            by.append(SpendingBy(by=name, rows=shown, more=len(rows) - len(shown)))
    return AuditSpending(
        all=everything,
        recorded=tables.value("SELECT count(*) FROM sessions WHERE spent_basis = 'recorded'"),
        unpriced=counted(dict(tables.rows(_UNPRICED))),
        waste=[WasteSum.model_validate(record) for record in tables.records(_WASTE)],
        by=by,
    )


def _sums(tables: Tables, by: str) -> Iterator[SpendingRow]:
    """The sums of the sessions that have the same value of an SQL expression."""
    return (SpendingRow(**record) for record in tables.records(_SUMS.format(by=by)))


_UNITS: tuple[tuple[Unit, int], ...] = (("day", 31), ("week", 270), ("month", 1_500))
"""Up to so many days in all the unit is worth its place."""
_DAYS = "SELECT min(start('day', started_at)), max(start('day', started_at)) FROM sessions"
_BINS = f"""SELECT start(?, started_at) AS begins, count(*) AS sessions, {SHARES} FROM sessions
GROUP BY 1 HAVING begins IS NOT NULL ORDER BY 1"""


def over_time(tables: Tables) -> tuple[list[Bin], Unit]:
    """The sessions whose beginning is recorded, by the date that the log gives it; the unit is such that there are
    about forty bins at most. Stretches without sessions have no bin."""
    first, last = next(tables.rows(_DAYS))
    if first is None:
        return [], "day"
    days = (date.fromisoformat(last) - date.fromisoformat(first)).days
    unit: Unit = next((name for name, most in _UNITS if days < most), "year")
    records = list(tables.records(_BINS, (unit,)))
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
        """How many of some sessions, counted by the week of `start_of`, began in each week, and how many of all."""
        return [Week(start=start, sessions=counts.get(start, 0), of=self._all.get(start, 0)) for start in self._starts]
