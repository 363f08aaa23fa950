"""The figures over all sessions, and what the other figures need of the table `sessions`, as SQL expressions."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median, quantiles
from typing import Any, Literal

from analyzer.audit.figures.counts import total
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Distribution, InsideLoops, Metrics, OutcomeCount
from analyzer.model.words import OutcomeStatus, Severity

_VERDICT = 0.9
"""A judgement by somebody else than the agent gives this confidence at least, the session's mere course less."""
_INTERRUPTED = 0.8
ABLE = "(actions > 0 OR loops > 0)"
"""Whether a session has an action, or a loop without any."""
RECORDED = (
    f"((outcome IN ('{OutcomeStatus.SUCCEEDED}', '{OutcomeStatus.FAILED}') AND outcome_confidence >= {_VERDICT}) OR "
    f"(outcome = '{OutcomeStatus.ABANDONED}' AND outcome_confidence >= {_INTERRUPTED}) OR "
    f"outcome IN ('{OutcomeStatus.LIMIT_REACHED}', '{OutcomeStatus.CRASHED}'))"
)
"""Whether the log itself says how a session ended: by an evaluation's verdict, a limit, a crash, an interruption."""
GOOD = f"(outcome = '{OutcomeStatus.SUCCEEDED}')"
KNOWN = f"(outcome <> '{OutcomeStatus.UNKNOWN}')"
SECONDS = "CASE WHEN duration_seconds > 0 THEN duration_seconds END"
"""Unknown where the log has no times, or only one for the whole session."""
WORKING_TIME = (
    f"CASE WHEN active_seconds > 0 AND {ABLE} THEN active_seconds "
    f"WHEN duration_seconds > 0 AND {ABLE} THEN duration_seconds END"
)
"""How long the sessions in which something was done took, without the pauses between turns where they are known; what
the others took says nothing of the work."""
TOKENS = (
    "CASE WHEN coalesce(tokens_input, 0) + coalesce(tokens_output, 0) > 0 "
    "THEN CAST(coalesce(tokens_input, 0) + coalesce(tokens_output, 0) AS REAL) END"
)
"""Input and output tokens; unknown where neither is recorded, and where the record is 0 though the agent worked."""
MEANT = "NOT coalesce(expected, 0)"
"""Of failures: reproductions that are meant to fail don't count."""
RANKS = " ".join(f"WHEN '{severity}' THEN {severity.rank}" for severity in Severity)
"""The ranks of severities, as the arms of a CASE."""
COST = "CASE WHEN cost_usd > 0 THEN cost_usd END"
"""USD; a recorded cost of 0 says that nobody counted."""
SHARES = ", ".join(
    f"count(*) FILTER (WHERE {of} AND {part}) AS {name}, count(*) FILTER (WHERE {of}) AS {name}_of"
    for name, part, of in (
        ("success", GOOD, KNOWN),
        ("success_recorded", GOOD, f"{KNOWN} AND {RECORDED}"),
        ("success_judged", GOOD, f"{KNOWN} AND NOT {RECORDED}"),
        ("loop_rate", "loops > 0", ABLE),
    )
)
"""The shares of sessions that succeeded, by whoever says so, and that ran into a loop."""


def distribution(values: Iterable[float | None]) -> Distribution:
    """How the known values are spread; quantiles are interpolated linearly."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return Distribution(sessions=0, total=0.0, median=None, mean=None, p90=None, maximum=None)
    everything = total(known)
    return Distribution(
        sessions=len(known),
        total=round(float(everything), 6),
        median=round(float(median(known)), 6),
        mean=round(everything / len(known), 6),
        p90=round(float(quantiles(known * 2 if len(known) < 2 else known, n=10, method="inclusive")[8]), 6),
        maximum=round(float(known[-1]), 6),
    )


_COUNTS = f"""SELECT {SHARES}, count(*) FILTER (WHERE {RECORDED} AND {GOOD}) AS success_by_verdict,
  count(*) FILTER (WHERE NOT {KNOWN}) AS unknown, count(*) FILTER (WHERE actions_saved > 0) AS detectable,
  coalesce(sum(actions_saved), 0) AS saved FROM sessions"""
_LOOPS = f"""SELECT count(*) AS loops, coalesce(sum(escaped), 0) AS escaped FROM findings
WHERE category = 'loop' AND severity <> '{Severity.INFO}'"""
_INSIDE = f"""SELECT count(*) AS sessions, count(*) FILTER (WHERE loops > 0) AS looping,
  rounded(exact_sum(whole), 6) AS total, rounded(exact_sum(min(part, whole)), 6) AS inside,
  rounded(exact_sum(min(part, whole)) / nullif(exact_sum(whole), 0), 4) AS share,
  rounded(max(whole) * 1.0, 6) AS largest
FROM (SELECT loops, {{whole}} AS whole, CASE WHEN loops > 0 THEN {{part}} ELSE 0 END AS part FROM sessions WHERE {ABLE})
WHERE whole IS NOT NULL AND part IS NOT NULL HAVING count(*)"""
_LOOP_COLUMNS: dict[Literal["actions", "seconds", "tokens", "usd"], tuple[str, str]] = {
    "actions": ("actions", "loop_actions"),
    "seconds": (SECONDS, "loop_seconds"),
    "tokens": (TOKENS, "loop_tokens"),
    "usd": (COST, "loop_usd"),
}
"""What is counted, of the whole session and of its loops."""
_SPREADS = {
    "actions": ("actions", ABLE),
    "actions_succeeded": ("actions", f"{GOOD} AND actions > 0"),
    "seconds": (WORKING_TIME, "1"),
    "seconds_succeeded": (WORKING_TIME, GOOD),
    "tokens": (TOKENS, "1"),
    "usd": (COST, "1"),
}
"""The distributions: what is spread, over which sessions."""
_OUTCOMES = f"""SELECT outcome, count(*) AS sessions, rounded(count(*) * 1.0 / sum(count(*)) OVER (), 4) AS share,
  count(*) FILTER (WHERE {RECORDED}) AS recorded FROM sessions GROUP BY outcome
ORDER BY outcome = '{OutcomeStatus.UNKNOWN}', sessions DESC, outcome"""


def metrics(tables: Tables) -> Metrics:
    """All figures."""
    spreads: dict[str, Any] = {
        name: distribution(value for (value,) in tables.rows(f"SELECT {values} FROM sessions WHERE {where}"))
        for name, (values, where) in _SPREADS.items()
    }
    counts, loops = next(tables.records(_COUNTS)), next(tables.records(_LOOPS))
    inside = [
        InsideLoops(what=what, **record)
        for what, (whole, part) in _LOOP_COLUMNS.items()
        for record in tables.records(_INSIDE.format(whole=whole, part=part))
    ]
    return Metrics(**counts, **loops, **spreads, inside=inside)


def outcomes(tables: Tables) -> list[OutcomeCount]:
    """How the sessions ended, the most frequent first, unknown last."""
    return [OutcomeCount(**record) for record in tables.records(_OUTCOMES)]
