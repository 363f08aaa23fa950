"""The table of sessions -> what they cost together, and what of it was repeated, discarded or waiting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.metrics import TOKENS
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import AuditSpending, SpendingBy, SpendingRow, WasteSum

_MOST = 50
_BY: dict[Literal["week", "project", "agent", "model"], str] = {
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
    everything = next(_rows(tables, "NULL"), None)
    if everything is None or (not everything.priced and not everything.wasted):
        return None
    return AuditSpending(
        all=everything,
        recorded=tables.value("SELECT count(*) FROM sessions WHERE spent_basis = 'recorded'"),
        unpriced=counted(dict(tables.rows(_UNPRICED))),
        waste=[WasteSum(**record) for record in tables.records(_WASTE)],
        by=list(_by(tables)),
    )


def _by(tables: Tables) -> Iterator[SpendingBy]:
    for by, expression in _BY.items():
        rows = list(_rows(tables, expression))
        if by == "week":
            rows.sort(key=lambda row: row.value or "")
        else:
            rows.sort(key=lambda row: (-(row.usd or 0.0), -row.actions, row.value or ""))
        if sum(row.value is not None for row in rows) > 1:
            shown = rows[-_MOST:] if by == "week" else rows[:_MOST]
            yield SpendingBy(by=by, rows=shown, more=len(rows) - len(shown))


def _rows(tables: Tables, by: str) -> Iterator[SpendingRow]:
    """The sums of the sessions that have the same value of an SQL expression."""
    return (SpendingRow(**record) for record in tables.records(_SUMS.format(by=by)))
