"""What sessions cost, by time, project, model and the like."""

from __future__ import annotations

from typing import Literal

from analyzer.model.struct import Public

COSTS_SCHEMA_VERSION: Literal["1.0"] = "1.0"
By = Literal["day", "week", "month", "project", "model", "agent", "branch", "session"]
"""What the rows of a table of costs are about. Days and months are those of this machine's clock; a week is named by
its Monday."""


class CostRow(Public, frozen=True, kw_only=True):
    """What was used of the models in one group of sessions, or parts of sessions."""

    key: dict[By, str | None]
    """What the group is, by each of the words that were asked for; null where the logs don't say it."""
    sessions: int
    """How many sessions have a part in it."""
    input_tokens: int
    """Tokens that were sent to the models, those from a cache included."""
    cached_tokens: int
    """The part of them that was read from a cache."""
    output_tokens: int
    """Tokens that the models wrote."""
    usd: float
    """The sum of what is known, in USD."""
    listed_usd: float
    """The part of it that was worked out from list prices; the rest is recorded."""
    unpriced: int
    """How many of the sessions used tokens whose price isn't known."""


class Costs(Public, frozen=True, kw_only=True):
    """A table of costs."""

    schema_version: Literal["1.0"] = COSTS_SCHEMA_VERSION
    by: list[By]
    """What the rows are by."""
    rows: list[CostRow]
    """The groups: times in their order, everything else with the dearest first."""
    total: CostRow
    """The sum of all rows; its key is empty."""
    files: int
    """How many files were looked at."""
    unread: int
    """How many of them could not be read."""
    models_unpriced: list[str]
    """The models whose price isn't known, in their order."""
    prices_as_of: str
    """The day of the list of prices."""
