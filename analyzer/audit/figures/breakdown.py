"""The same figures for parts of the sessions: by agent, model, task family and format, and by version over time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from analyzer.audit.figures.metrics import ABLE, GOOD, KNOWN, RECORDED, TOKENS, WORKING_TIME, share
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_report import Breakdown, GroupRow

FEW = 10
"""A group with fewer sessions is too small to say much."""
_MOST = 200
_PROPERTIES: tuple[Literal["agent", "model", "family", "format"], ...] = ("agent", "model", "family", "format")
_FIGURES = f"""SELECT {{by}}, count(*), sum({KNOWN}), sum({GOOD}), sum({RECORDED} AND {KNOWN}),
  sum({RECORDED} AND {GOOD}), sum({ABLE}), sum(loops > 0), sum(loop_actions), sum(CASE WHEN {ABLE} THEN actions END),
  median(CASE WHEN {ABLE} THEN actions END), median({WORKING_TIME}), median({TOKENS}), min(started_at), max(started_at)
FROM sessions WHERE {{where}} GROUP BY 1"""
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
        rows.sort(key=lambda row: (row.first is None, row.first or "", _natural(row.value or "")))
        yield Breakdown(by="version", of=agent, rows=rows[:_MOST], values=len(rows))


def _rows(tables: Tables, by: str, where: str = "1", *values: str) -> list[GroupRow]:
    """The figures of the sessions that have one value of a column in common."""
    # The last is the most frequent one, of equally frequent ones the first by name.
    about = {value: (what, found) for value, what, found in tables.rows(_ABOUT.format(by=by, where=where), values)}
    rows = []
    for value, sessions, *figures, first, last in tables.rows(_FIGURES.format(by=by, where=where), values):
        known, good, by_log, good_by_log, able, looping, circling, acts, *middles = figures
        actions, seconds, tokens = (None if middle is None else round(middle, 3) for middle in middles)
        finding, of_it = about.get(value, (None, 0))
        row = GroupRow(
            value=value,
            sessions=sessions,
            few=sessions < FEW,
            success=share(good, known),
            success_recorded=share(good_by_log, by_log),
            success_judged=share(good - good_by_log, known - by_log),
            loop_rate=share(looping, able),
            actions=actions,
            seconds=seconds,
            tokens=tokens,
            loop_share=round(min(1.0, circling / acts), 4) if acts else None,
            first=first,
            last=last,
            finding=finding,
            finding_sessions=of_it,
        )
        rows.append(row)
    return sorted(rows, key=lambda row: (row.value is None, -row.sessions, row.value or ""))


def _natural(version: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", version) if part]
