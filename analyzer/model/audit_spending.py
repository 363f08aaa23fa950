"""What the sessions of an audit cost together, and what of it was repeated, discarded or waiting."""

from __future__ import annotations

from typing import Literal

from analyzer.model.audit_figures import Count
from analyzer.model.finding import Public
from analyzer.model.spending import WasteKind


class SpendingRow(Public):
    """Some sessions."""

    value: str | None
    """What they have in common: a name, or the Monday of their week; null where the log doesn't say."""
    sessions: int
    """How many."""
    usd: float | None
    """What those cost of which it's known; null where it's known of none."""
    priced: int
    """How many those are."""
    tokens: int | None
    """Their tokens, input and output, as far as they're recorded; null where they aren't."""
    actions: int
    """Their actions."""
    wasted: int
    """Those that were repeated, discarded or waiting."""
    wasted_usd: float | None
    """What those cost, as far as the log has it per step; null where it's nowhere."""


class SpendingBy(Public):
    """The sessions by one of their properties."""

    by: Literal["week", "project", "agent", "model"]
    """The property."""
    rows: list[SpendingRow]
    """Weeks in their order, else what cost most first, at most 50."""
    more: int
    """How many more there are."""


class WasteSum(Public):
    """Actions that were repeated, discarded or waiting, for one reason."""

    kind: WasteKind
    """The reason."""
    actions: int
    """How many."""
    sessions: int
    """Sessions with at least one."""


class AuditSpending(Public):
    """All of it."""

    all: SpendingRow
    """All sessions."""
    recorded: int
    """Sessions whose log has the cost."""
    unpriced: list[Count]
    """Models with tokens and without a known price, with their sessions."""
    waste: list[WasteSum]
    """By reason, the most actions first."""
    by: list[SpendingBy]
    """By week, project, agent and model, where there's more than one."""
