"""What is measured on both sides, and what would be better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analyzer.audit.figures.metrics import COST, GOOD, KNOWN, TOKENS
from analyzer.model.words import Severity

Scale = Literal["share", "mean", "ratio"]
"""`share` of sessions for which something is so; `mean` of a number that's often zero; `ratio` of a positive, skewed
one, whose differences are looked at on the scale of logarithms."""
Unit = Literal["share", "count", "seconds", "tokens", "usd"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One number per session. `value` is an SQL expression over the table `sessions`, null where one doesn't tell.

    `more_is_better` says which way is an improvement. `effort` marks what may rise because more is achieved.
    `reference` is a difference worth knowing of, for the estimate of how many sessions it takes to see it: for a ratio
    the factor, else an amount (None: a fifth of the mean). `offset` is added before the logarithm, so that zero has
    one.
    """

    name: str
    title: str
    unit: Unit
    scale: Scale
    value: str
    more_is_better: bool = False
    effort: bool = False
    reference: float | None = None
    offset: float = 0.0


_DURATION = "CASE WHEN active_seconds > 0 THEN active_seconds WHEN duration_seconds > 0 THEN duration_seconds END"
METRICS = (
    Metric(
        "success_rate",
        "Success rate",
        "share",
        "share",
        f"CASE WHEN {KNOWN} THEN {GOOD} END",
        more_is_better=True,
        reference=0.1,
    ),
    Metric("loop_rate", "Sessions with a loop", "share", "share", "loops > 0", reference=0.1),
    Metric(
        "high_finding_rate",
        "Sessions with a high finding",
        "share",
        "share",
        f"coalesce(worst, '') = '{Severity.HIGH}'",
        reference=0.1,
    ),
    Metric("failures_per_session", "Failed steps per session", "count", "mean", "failures"),
    Metric(
        "loop_action_share",
        "Share of actions inside loops",
        "share",
        "mean",
        "min(1.0, loop_actions * 1.0 / nullif(actions, 0))",
        reference=0.1,
    ),
    Metric("actions", "Actions per session", "count", "ratio", "actions", effort=True, reference=1.2, offset=0.5),
    Metric("duration_seconds", "Duration", "seconds", "ratio", _DURATION, effort=True, reference=1.2),
    Metric("tokens", "Tokens", "tokens", "ratio", TOKENS, effort=True, reference=1.2),
    Metric("cost_usd", "Cost", "usd", "ratio", COST, effort=True, reference=1.2),
)
"""The metrics. The first is what a comparison is about and tested by itself; the others are corrected for their number.
Tokens are input and output together."""
