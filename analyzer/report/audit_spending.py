"""What the sessions of an audit cost, and what of it was repeated, discarded or waiting, as sentences and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.model.audit_figures import AuditSpending, SpendingBy, SpendingRow
from analyzer.report import figures
from analyzer.report.safe import clip
from analyzer.report.spending import WASTE, WASTED
from analyzer.text.english import listed, number

_SHOWN = 20
_NAME = 60
_TITLES = {"week": "By week", "project": "By project", "agent": "By agent", "model": "By model"}


@dataclass(frozen=True, slots=True)
class SpendingTable:
    """One table: its title, its columns, the first of which is a name, and its rows."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    more: int


def sentences_of(spending: AuditSpending | None) -> list[str]:
    """What it comes down to: the cost and what it rests on, the waste and most of what it is."""
    return [] if spending is None else [text for text in (_cost(spending), _waste(spending)) if text]


def tables_of(spending: AuditSpending | None) -> Iterator[SpendingTable]:
    """The tables by reason, week, project, agent and model."""
    if spending is None:
        return
    if spending.waste:
        rows = [(WASTE[row.kind], number(row.actions), number(row.sessions)) for row in spending.waste]
        yield SpendingTable(WASTED, ("What", "Actions", "Sessions"), rows, 0)
    yield from map(_table, spending.by)


def _cost(spending: AuditSpending) -> str:
    row = spending.all
    if row.usd is None:
        return ""
    basis = []
    if spending.recorded:
        basis.append(f"{number(spending.recorded)} recorded")
    if listed_ones := row.priced - spending.recorded:
        basis.append(f"{number(listed_ones)} at list prices")
    unknown = row.sessions - row.priced
    text = f"{_sessions(row.priced)} cost {figures.amount(row.usd, 'usd')} ({listed(basis)})"
    if unknown:
        names = [clip(entry.value, _NAME) for entry in spending.unpriced[:3]]
        why = f", including those of models without a known price: {', '.join(names)}" if names else ""
        text += f"; of {number(unknown)} the cost isn't known{why}"
    return f"{text}."


def _waste(spending: AuditSpending) -> str:
    row = spending.all
    if not row.wasted or not row.actions:
        return ""
    money = f", {figures.amount(row.wasted_usd, 'usd')} as far as the logs have it per step" if row.wasted_usd else ""
    most = spending.waste[0] if spending.waste else None
    mostly = f"; most of them: {WASTE[most.kind]} ({number(most.actions)})" if most is not None else ""
    share = figures.percent(row.wasted / row.actions)
    return (
        f"{number(row.wasted)} of {figures.plural(row.actions, 'action')} ({share}) were repeated, discarded or "
        f"waiting{money}{mostly}."
    )


def _table(entry: SpendingBy) -> SpendingTable:
    chosen = entry.rows[-_SHOWN:] if entry.by == "week" else entry.rows[:_SHOWN]
    name = entry.by.capitalize()
    heads = [
        "Week of" if entry.by == "week" else name,
        "Sessions",
        "Cost",
        "Tokens",
        "Actions",
        "Wasted",
        "Wasted cost",
    ]
    rows = [_cells(row) for row in chosen]
    kept = [at for at in range(len(heads)) if at < 2 or any(row[at] not in ("", "-") for row in rows)]
    return SpendingTable(
        _TITLES[entry.by],
        [heads[at] for at in kept],
        [[row[at] for at in kept] for row in rows],
        entry.more + len(entry.rows) - len(chosen),
    )


def _cells(row: SpendingRow) -> list[str]:
    some = f" (of {number(row.priced)})" if row.usd is not None and row.priced < row.sessions else ""
    wasted = f"{number(row.wasted)} ({figures.percent(row.wasted / row.actions)})" if row.wasted and row.actions else ""
    return [
        clip(row.value, _NAME) if row.value is not None else "not recorded",
        number(row.sessions),
        f"{figures.amount(row.usd, 'usd')}{some}" if row.usd is not None else "-",
        figures.amount(row.tokens) if row.tokens is not None else "-",
        number(row.actions),
        wasted,
        figures.amount(row.wasted_usd, "usd") if row.wasted_usd else "",
    ]


def _sessions(count: int) -> str:
    return figures.plural(count, "session")
