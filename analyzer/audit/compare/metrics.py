"""What is measured on both sides, and what would be better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from analyzer.audit.compare.side import Run
from analyzer.model.words import Severity

Scale = Literal["share", "mean", "ratio"]
"""`share` of sessions for which something is so; `mean` of a number that's often zero; `ratio` of a positive, skewed
one, whose differences are looked at on the scale of logarithms."""
Unit = Literal["share", "count", "seconds", "tokens", "usd"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One number per session. `value` is None where the session doesn't tell.

    `more_is_better` says which way is an improvement. `effort` marks what may rise because more is achieved.
    `reference` is a difference worth knowing of, for the estimate of how many sessions it takes to see it: for a ratio
    the factor, else an amount (None: a fifth of the mean). `offset` is added before the logarithm, so that zero has
    one.
    """

    name: str
    title: str
    unit: Unit
    scale: Scale
    value: Callable[[Run], float | None]
    more_is_better: bool = False
    effort: bool = False
    reference: float | None = None
    offset: float = 0.0


def _succeeded(run: Run) -> float | None:
    return None if run.succeeded is None else float(run.succeeded)


def _in_loops(run: Run) -> float | None:
    return min(1.0, run.loop_actions / run.actions) if run.actions else None


def _tokens(run: Run) -> float | None:
    return _positive((run.tokens_input or 0) + (run.tokens_output or 0))


def _positive(value: float | None) -> float | None:
    """Zero seconds, tokens or dollars is how logs write unknown."""
    return float(value) if value and value > 0 else None


METRICS = (
    Metric("success_rate", "Success rate", "share", "share", _succeeded, more_is_better=True, reference=0.1),
    Metric("loop_rate", "Sessions with a loop", "share", "share", lambda run: float(run.loops > 0), reference=0.1),
    Metric(
        "high_finding_rate",
        "Sessions with a high finding",
        "share",
        "share",
        lambda run: float(run.worst == Severity.HIGH),
        reference=0.1,
    ),
    Metric("failures_per_session", "Failed steps per session", "count", "mean", lambda run: float(run.failures)),
    Metric("loop_action_share", "Share of actions inside loops", "share", "mean", _in_loops, reference=0.1),
    Metric(
        "actions",
        "Actions per session",
        "count",
        "ratio",
        lambda run: float(run.actions),
        effort=True,
        reference=1.2,
        offset=0.5,
    ),
    Metric(
        "duration_seconds",
        "Duration",
        "seconds",
        "ratio",
        lambda run: _positive(run.active_seconds) or _positive(run.duration_seconds),
        effort=True,
        reference=1.2,
    ),
    Metric("tokens", "Tokens", "tokens", "ratio", _tokens, effort=True, reference=1.2),
    Metric("cost_usd", "Cost", "usd", "ratio", lambda run: _positive(run.cost_usd), effort=True, reference=1.2),
)
"""The metrics. The first is what a comparison is about and tested by itself; the others are corrected for their number.
Tokens are input and output together."""
