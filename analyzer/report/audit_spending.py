"""What the sessions of an audit cost, and what of it was repeated, discarded or waiting, as sentences and tables; and a
table of costs for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.audit_figures import AuditSpending, SpendingRow, WasteSum
from analyzer.model.costs import CostRow, Costs
from analyzer.report import figures
from analyzer.report.records import csv_of
from analyzer.report.safe import clip
from analyzer.report.spending import WASTE, WASTED, Column, Table, table
from analyzer.text.english import dollars, listed, number, plural

_SHOWN = 20
_NAME = 60
_TITLES = {"week": "By week", "project": "By project", "agent": "By agent", "model": "By model"}


def sentences_of(spending: AuditSpending | None) -> list[str]:
    """What it comes down to: the cost and what it rests on, the waste and most of what it is."""
    return [] if spending is None else [text for text in (_cost(spending), _waste(spending)) if text]


def tables_of(spending: AuditSpending | None) -> Iterator[Table]:
    """The tables by reason, week, project, agent and model."""
    if spending is None:
        return
    if spending.waste:
        yield table(WASTED, _WASTE, spending.waste)
    for entry in spending.by:
        rows = entry.rows[-_SHOWN:] if entry.by == "week" else entry.rows[:_SHOWN]
        name = "Week of" if entry.by == "week" else entry.by.capitalize()
        columns: list[Column[SpendingRow]] = [
            (name, False, lambda row: clip(row.value or "not recorded", _NAME)),
            *_COLUMNS,
        ]
        yield table(_TITLES[entry.by], columns, rows, entry.more + len(entry.rows) - len(rows))


def _cost(spending: AuditSpending) -> str:
    row = spending.all
    if row.usd is None:
        return ""
    counts = ((spending.recorded, "recorded"), (row.priced - spending.recorded, "at list prices"))
    basis = [f"{number(count)} {word}" for count, word in counts if count]
    unknown = row.sessions - row.priced
    text = f"{figures.plural(row.priced, 'session')} cost {figures.amount(row.usd, 'usd')} ({listed(basis)})"
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


_WASTE: list[Column[WasteSum]] = [
    ("What", False, lambda row: WASTE[row.kind]),
    ("Actions", True, lambda row: number(row.actions)),
    ("Sessions", True, lambda row: number(row.sessions)),
]


def _usd(row: SpendingRow) -> str:
    some = f" (of {number(row.priced)})" if row.usd is not None and row.priced < row.sessions else ""
    return f"{figures.amount(row.usd, 'usd')}{some}"


_COLUMNS: list[Column[SpendingRow]] = [
    ("Sessions", True, lambda row: number(row.sessions)),
    ("Cost", True, _usd),
    ("Tokens", True, lambda row: figures.amount(row.tokens)),
    ("Actions", True, lambda row: number(row.actions)),
    (
        "Wasted",
        True,
        lambda row: (
            f"{number(row.wasted)} ({figures.percent(row.wasted / row.actions)})" if row.wasted and row.actions else ""
        ),
    ),
    ("Wasted cost", True, lambda row: figures.amount(row.wasted_usd, "usd") if row.wasted_usd else ""),
]


_UNKNOWN = "unknown"


def costs_rows(costs: Costs) -> list[list[str]]:
    """The heads, a line for each row, and the total."""
    heads = [*costs.by, "sessions", "input", "cached", "output", "cost"]
    lines = [[row.key[name] or _UNKNOWN for name in costs.by] + _amounts(row) for row in costs.rows]
    total = ["total", *[""] * (len(costs.by) - 1)]
    return [heads, *lines, total + _amounts(costs.total)]


def _amounts(row: CostRow) -> list[str]:
    counts = (row.sessions, row.input_tokens, row.cached_tokens, row.output_tokens)
    cost = "unknown" if row.unpriced and not row.usd else dollars(row.usd, "at least" if row.unpriced else None)
    return [*map(number, counts), cost]


def remarks_of(costs: Costs) -> list[str]:
    """What has to be known to read the table."""
    total, said = costs.total, list[str]()
    if total.listed_usd:
        part = "" if total.listed_usd == total.usd else f" {dollars(total.listed_usd)} of it"
        said.append(f"Cost:{part} at the list prices of {costs.prices_as_of}; a subscription has no price per token.")
    if total.unpriced:
        models = f" ({listed(costs.models_unpriced[:5])})" if costs.models_unpriced else ""
        said.append(f"No price is known for what {plural(total.unpriced, 'session')} used{models}.")
    if costs.unread:
        said.append(f"{costs.unread} of {plural(costs.files, 'file')} can't be read: try the command check.")
    return said


def costs_csv(costs: Costs) -> str:
    """The rows as CSV with a head line."""
    names = [*costs.by, *(name for name in CostRow.__struct_fields__ if name != "key")]
    records = (row.model_dump() for row in costs.rows)
    return csv_of(names, ({**record.pop("key"), **record} for record in records))
