"""The table of sessions -> what they cost together, and what of it was repeated, discarded or waiting."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from analyzer.audit.figures.counts import Sum
from analyzer.audit.figures.metrics import TOKENS
from analyzer.audit.figures.over_time import week_at
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import AuditSpending, Count, SpendingBy, SpendingRow, WasteSum
from analyzer.model.spending import WasteKind

_MOST = 50
_PROPERTIES: tuple[Literal["project", "agent", "model"], ...] = ("project", "agent", "model")
_FIGURES = f"""SELECT started_at, {", ".join(_PROPERTIES)}, spent_basis, unpriced, wasted_on, spent_usd, {TOKENS},
  wasted_usd, actions, wasted_actions FROM sessions"""


def spending(tables: Tables) -> AuditSpending | None:
    """The sums over all sessions and by their properties; None where neither cost nor waste is known of any."""
    everything = _Spent()
    by: dict[str, dict[str | None, _Spent]] = {name: {} for name in ("week", *_PROPERTIES)}
    models, waste, hit = Counter[str](), Counter[str](), Counter[str]()
    recorded = 0
    for started, *properties, basis, unpriced, wasted_on, usd, tokens, lost, actions, wasted in tables.rows(_FIGURES):
        recorded += basis == "recorded"
        models.update(json.loads(unpriced or "[]"))
        for kind, count in json.loads(wasted_on or "{}").items():
            waste[kind] += count
            hit[kind] += 1
        everything.add(usd, tokens, lost, actions, wasted)
        week = week_at(started)
        for name, value in zip(by, (week.isoformat() if week else None, *properties), strict=True):
            by[name].setdefault(value, _Spent()).add(usd, tokens, lost, actions, wasted)
    if not everything.usd.count and not everything.wasted:
        return None
    return AuditSpending(
        all=everything.row(None),
        recorded=recorded,
        unpriced=[
            Count(value=model, sessions=count)
            for model, count in sorted(models.items(), key=lambda entry: (-entry[1], entry[0]))
        ],
        waste=sorted(
            (WasteSum(kind=WasteKind(kind), actions=count, sessions=hit[kind]) for kind, count in waste.items()),
            key=lambda entry: (-entry.actions, entry.kind.value),
        ),
        by=list(_by(by)),
    )


def _by(groups: Mapping[str, Mapping[str | None, _Spent]]) -> Iterator[SpendingBy]:
    rows = sorted(_rows(groups["week"]), key=lambda row: row.value or "")
    if sum(row.value is not None for row in rows) > 1:
        yield SpendingBy(by="week", rows=rows[-_MOST:], more=max(0, len(rows) - _MOST))
    for by in _PROPERTIES:
        rows = sorted(_rows(groups[by]), key=lambda row: (-(row.usd or 0.0), -row.actions, row.value or ""))
        if sum(row.value is not None for row in rows) > 1:
            yield SpendingBy(by=by, rows=rows[:_MOST], more=max(0, len(rows) - _MOST))


def _rows(groups: Mapping[str | None, _Spent]) -> Iterator[SpendingRow]:
    """The rows of the groups by name, what has none at the end."""
    for value in sorted(groups, key=lambda value: (value is None, value or "")):
        yield groups[value].row(value)


class _Spent:
    """What some sessions cost together."""

    __slots__ = ("actions", "lost", "sessions", "tokens", "usd", "wasted")

    def __init__(self) -> None:
        self.sessions = self.actions = self.wasted = 0
        self.usd, self.tokens, self.lost = Sum(), Sum(), Sum()

    def add(self, usd: float | None, tokens: float | None, lost: float | None, actions: int, wasted: int) -> None:
        """Count a session."""
        self.sessions += 1
        self.actions += actions
        self.wasted += wasted
        for known, value in ((self.usd, usd), (self.tokens, tokens), (self.lost, lost)):
            if value is not None:
                known.add(value)

    def row(self, value: str | None) -> SpendingRow:
        """The sums."""
        return SpendingRow(
            value=value,
            sessions=self.sessions,
            usd=self.usd.known,
            priced=self.usd.count,
            tokens=int(self.tokens.total) if self.tokens.count else None,
            actions=self.actions,
            wasted=self.wasted,
            wasted_usd=self.lost.known,
        )
