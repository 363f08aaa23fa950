"""The table of sessions -> what they cost together, and what of it was repeated, discarded or waiting."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.metrics import TOKENS
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import AuditSpending, SpendingBy, SpendingRow, WasteSum
from analyzer.model.spending import WasteKind

_MOST = 50
_BY: dict[Literal["week", "project", "agent", "model"], str] = {
    "week": "week(started_at)",
    "project": "project",
    "agent": "agent",
    "model": "model",
}
"""What the sums are made by, as SQL expressions."""
_SUMS = f"""SELECT {{by}}, count(*), exact_sum(spent_usd), count(spent_usd), exact_sum({TOKENS}), sum(actions),
  sum(wasted_actions), exact_sum(wasted_usd) FROM sessions GROUP BY 1"""


def spending(tables: Tables) -> AuditSpending | None:
    """The sums over all sessions and by their properties; None where neither cost nor waste is known of any."""
    everything = next(_rows(tables, "NULL"), None)
    if everything is None or (not everything.priced and not everything.wasted):
        return None
    models, waste, hit = Counter[str](), Counter[str](), Counter[str]()
    for unpriced, wasted_on in tables.rows("SELECT unpriced, wasted_on FROM sessions"):
        models.update(json.loads(unpriced or "[]"))
        kinds = json.loads(wasted_on or "{}")
        waste.update(kinds)
        hit.update(kinds.keys())
    return AuditSpending(
        all=everything,
        recorded=tables.value("SELECT count(*) FROM sessions WHERE spent_basis = 'recorded'"),
        unpriced=counted(models),
        waste=sorted(
            (WasteSum(kind=WasteKind(kind), actions=count, sessions=hit[kind]) for kind, count in waste.items()),
            key=lambda entry: (-entry.actions, entry.kind.value),
        ),
        by=list(_by(tables)),
    )


def _by(tables: Tables) -> Iterator[SpendingBy]:
    for by, expression in _BY.items():
        rows = sorted(_rows(tables, expression), key=lambda row: (row.value is None, row.value or ""))
        if by == "week":
            rows.sort(key=lambda row: row.value or "")
        else:
            rows.sort(key=lambda row: (-(row.usd or 0.0), -row.actions, row.value or ""))
        if sum(row.value is not None for row in rows) > 1:
            shown = rows[-_MOST:] if by == "week" else rows[:_MOST]
            yield SpendingBy(by=by, rows=shown, more=len(rows) - len(shown))


def _rows(tables: Tables, by: str) -> Iterator[SpendingRow]:
    """The sums of the sessions that have the same value of an SQL expression."""
    for value, sessions, usd, priced, tokens, actions, wasted, lost in tables.rows(_SUMS.format(by=by)):
        yield SpendingRow(
            value=value,
            sessions=sessions,
            usd=None if usd is None else round(usd, 6),
            priced=priced,
            tokens=None if tokens is None else int(tokens),
            actions=actions,
            wasted=wasted,
            wasted_usd=None if lost is None else round(lost, 6),
        )
