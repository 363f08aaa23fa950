"""The same figures for parts of the sessions: by agent, model, task family and format, and by version over time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from analyzer.audit.figures.metrics import ABLE, SHARES, TOKENS, WORKING_TIME
from analyzer.audit.store.tables import Tables
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
    """One breakdown per property with at least two values, then one per agent of which at least two versions are
    recorded."""
    return [*_by_property(tables), *_by_version(tables)]


def _by_property(tables: Tables) -> Iterator[Breakdown]:
    for by in _PROPERTIES:
        rows = _rows(tables, by)
        known = [row for row in rows if row.value is not None]
        if len(known) < 2:
            continue
        kept = known[:_MOST] + [row for row in rows if row.value is None]
        yield Breakdown(by=by, rows=kept, values=len(known))


def _by_version(tables: Tables) -> Iterator[Breakdown]:
    for (agent,) in list(tables.rows(_VERSIONS)):
        rows = _rows(tables, "agent_version", "agent_version IS NOT NULL AND agent = ?", agent)
        # Versions that no dated session has come last, in their natural order.
        rows.sort(key=lambda row: (row.first is None, row.first or "", in_order(row.value or "")))
        yield Breakdown(by="version", of=agent, rows=rows[:_MOST], values=len(rows))


def _rows(tables: Tables, by: str, where: str = "1", *values: str) -> list[GroupRow]:
    """The figures of the sessions that have one value of a column in common."""
    # The last is the most frequent one, of equally frequent ones the first by name.
    about = {value: (what, found) for value, what, found in tables.rows(_ABOUT.format(by=by, where=where), values)}
    rows = []
    for record in tables.records(_FIGURES.format(by=by, where=where), values):
        finding, sessions = about.get(record["value"], (None, 0))
        rows.append(GroupRow(**record, finding=finding, finding_sessions=sessions))
    return rows
