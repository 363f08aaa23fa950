"""A table of costs for people and for programs."""

from __future__ import annotations

from analyzer.model.costs import CostRow, Costs
from analyzer.report.records import csv_of
from analyzer.text.english import dollars, listed, number, plural

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


def render_csv(costs: Costs) -> str:
    """The rows as CSV with a head line."""
    names = [*costs.by, *(name for name in CostRow.__struct_fields__ if name != "key")]
    records = (row.model_dump() for row in costs.rows)
    return csv_of(names, ({**record.pop("key"), **record} for record in records))
