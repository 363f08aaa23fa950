"""The table of sessions -> what they cost together, and what of it brought nothing new."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal

import pandas

from analyzer.audit.figures.metrics import tokens
from analyzer.model.audit_figures import Count
from analyzer.model.audit_spending import AuditSpending, SpendingBy, SpendingRow, WasteSum
from analyzer.model.spending import WasteKind

_MOST = 50
_PROPERTIES: tuple[Literal["project", "agent", "model"], ...] = ("project", "agent", "model")


def spending(sessions: pandas.DataFrame) -> AuditSpending | None:
    """The sums over all sessions and by their properties; None where neither cost nor waste is known of any."""
    if sessions["spent_usd"].isna().all() and not (sessions["wasted_actions"] > 0).any():
        return None
    known = sessions.assign(used=tokens(sessions))
    models = Counter(model for listed in sessions["unpriced"] for model in json.loads(listed or "[]"))
    return AuditSpending(
        all=_row(None, known),
        recorded=int((sessions["spent_basis"] == "recorded").sum()),
        unpriced=[
            Count(value=model, sessions=count)
            for model, count in sorted(models.items(), key=lambda entry: (-entry[1], entry[0]))
        ],
        waste=_waste(sessions),
        by=list(_by(known)),
    )


def _waste(sessions: pandas.DataFrame) -> list[WasteSum]:
    actions, hit = Counter[str](), Counter[str]()
    for listed in sessions["wasted_on"]:
        for kind, count in json.loads(listed or "{}").items():
            actions[kind] += count
            hit[kind] += 1
    found = [WasteSum(kind=WasteKind(kind), actions=count, sessions=hit[kind]) for kind, count in actions.items()]
    return sorted(found, key=lambda entry: (-entry.actions, entry.kind.value))


def _by(sessions: pandas.DataFrame) -> Iterator[SpendingBy]:
    weeks = pandas.Series([_week(value) for value in sessions["started_at"]], index=sessions.index, dtype="object")
    rows = sorted(_rows(sessions, weeks), key=lambda row: row.value or "")
    if sum(row.value is not None for row in rows) > 1:
        yield SpendingBy(by="week", rows=rows[-_MOST:], more=max(0, len(rows) - _MOST))
    for by in _PROPERTIES:
        rows = sorted(_rows(sessions, sessions[by]), key=lambda row: (-(row.usd or 0.0), -row.actions, row.value or ""))
        if sum(row.value is not None for row in rows) > 1:
            yield SpendingBy(by=by, rows=rows[:_MOST], more=max(0, len(rows) - _MOST))


def _rows(sessions: pandas.DataFrame, values: pandas.Series) -> Iterator[SpendingRow]:
    known = values.dropna()
    for value, part in sessions.loc[known.index].groupby(known, sort=True):
        yield _row(str(value), part)
    rest = sessions[values.isna()]
    if len(rest):
        yield _row(None, rest)


def _row(value: str | None, sessions: pandas.DataFrame) -> SpendingRow:
    usd, used, lost = (sessions[name].dropna() for name in ("spent_usd", "used", "wasted_usd"))
    return SpendingRow(
        value=value,
        sessions=len(sessions),
        usd=round(float(usd.sum()), 6) if len(usd) else None,
        priced=len(usd),
        tokens=int(used.sum()) if len(used) else None,
        actions=int(sessions["actions"].sum()),
        wasted=int(sessions["wasted_actions"].sum()),
        wasted_usd=round(float(lost.sum()), 6) if len(lost) else None,
    )


def _week(value: object) -> str | None:
    """The Monday of the week of a time; None where there's none."""
    if not isinstance(value, str):
        return None
    try:
        day = date.fromisoformat(value[:10])
        return (day - timedelta(days=day.weekday())).isoformat()
    except (ValueError, OverflowError):
        return None
