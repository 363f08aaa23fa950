"""The figures over all sessions, and what the other figures need of the table `sessions`, as SQL expressions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Literal

from analyzer.audit.figures.counts import total, wilson
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Distribution, InsideLoops, Metrics, OutcomeCount, Share
from analyzer.model.words import OutcomeStatus, Severity

_VERDICT = 0.9
"""A judgement by somebody else than the agent gives this confidence at least; what is read from the session's course
less."""
_INTERRUPTED = 0.8
ABLE = "(actions > 0 OR loops > 0)"
"""Whether a session has an action, or a loop without any."""
RECORDED = (
    f"((outcome IN ('{OutcomeStatus.SUCCEEDED}', '{OutcomeStatus.FAILED}') AND outcome_confidence >= {_VERDICT}) OR "
    f"(outcome = '{OutcomeStatus.ABANDONED}' AND outcome_confidence >= {_INTERRUPTED}) OR "
    f"outcome IN ('{OutcomeStatus.LIMIT_REACHED}', '{OutcomeStatus.CRASHED}'))"
)
"""Whether the log itself says how a session ended: by the verdict of an evaluation, or a limit, a crash, an
interruption."""
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
COST = "CASE WHEN cost_usd > 0 THEN cost_usd END"
"""USD; a recorded cost of 0 says that nobody counted."""


def share(count: int, of: int) -> Share:
    """`count` of `of` with the Wilson score interval at 95% (Wilson 1927; Brown, Cai & DasGupta 2001, eq. 4)."""
    if not of:
        return Share(count=count, of=of, share=None, low=None, high=None)
    low, high = wilson(count, of)
    return Share(count=count, of=of, share=round(count / of, 4), low=round(low, 4), high=round(high, 4))


def distribution(values: Iterable[float | None]) -> Distribution:
    """How the known values are spread; quantiles are interpolated linearly."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return Distribution(sessions=0, total=0, median=None, mean=None, p90=None, maximum=None)
    everything = total(known)
    return Distribution(
        sessions=len(known),
        total=round(everything, 6),
        median=round(float(median(known)), 6),
        mean=round(everything / len(known), 6),
        p90=round(_quantile(known, 0.9), 6),
        maximum=round(float(known[-1]), 6),
    )


def _quantile(ordered: Sequence[float], part: float) -> float:
    """The value below which this part of the ordered values lies."""
    place = part * (len(ordered) - 1)
    below = math.floor(place)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    return float(low + (high - low) * (place - below))


_COUNTS = f"""SELECT count(*), sum({ABLE}), sum({ABLE} AND loops > 0), sum({KNOWN}), sum({GOOD}),
  sum({RECORDED} AND {GOOD}), sum({RECORDED} AND {KNOWN}), sum(actions_saved > 0), sum(actions_saved)
  FROM sessions"""
_LOOPS = f"""SELECT count(*), sum(coalesce(escaped, 0)) FROM findings
WHERE category = 'loop' AND severity <> '{Severity.INFO}'"""
_INSIDE = f"""SELECT count(*), sum(loops > 0), exact_sum(whole), exact_sum(min(part, whole)), max(whole)
FROM (SELECT loops, {{whole}} AS whole, CASE WHEN loops > 0 THEN {{part}} ELSE 0 END AS part FROM sessions WHERE {ABLE})
WHERE whole IS NOT NULL AND part IS NOT NULL"""
_LOOP_COLUMNS: dict[Literal["actions", "seconds", "tokens", "usd"], tuple[str, str]] = {
    "actions": ("actions", "loop_actions"),
    "seconds": (SECONDS, "loop_seconds"),
    "tokens": (TOKENS, "loop_tokens"),
    "usd": (COST, "loop_usd"),
}
"""What is counted, of the whole session and of its loops."""


def metrics(tables: Tables) -> Metrics:
    """All figures."""
    counts = next(tables.rows(_COUNTS))
    sessions, able, looping, known, good, good_recorded, known_recorded, detectable, saved = (
        int(value or 0) for value in counts
    )
    loops, escaped = (int(value or 0) for value in next(tables.rows(_LOOPS)))

    def spread(values: str, where: str = "1") -> Distribution:
        return distribution(value for (value,) in tables.rows(f"SELECT {values} FROM sessions WHERE {where}"))

    return Metrics(
        loop_rate=share(looping, able),
        loops=loops,
        escaped=escaped,
        success=share(good, known),
        success_by_verdict=good_recorded,
        success_recorded=share(good_recorded, known_recorded),
        success_judged=share(good - good_recorded, known - known_recorded),
        unknown=sessions - known,
        actions=spread("actions", ABLE),
        actions_succeeded=spread("actions", f"{GOOD} AND actions > 0"),
        seconds=spread(WORKING_TIME),
        seconds_succeeded=spread(WORKING_TIME, GOOD),
        tokens=spread(TOKENS),
        usd=spread(COST),
        inside=list(_inside(tables)),
        detectable=detectable,
        saved=saved,
    )


def _inside(tables: Tables) -> Iterator[InsideLoops]:
    """What loops took of each thing, over the sessions that record it."""
    for what, (whole, part) in _LOOP_COLUMNS.items():
        sessions, looping, everything, within, largest = next(tables.rows(_INSIDE.format(whole=whole, part=part)))
        if sessions:
            yield InsideLoops(
                what=what,
                sessions=sessions,
                looping=looping,
                total=round(everything, 6),
                inside=round(within, 6),
                share=round(within / everything, 4) if everything else None,
                largest=round(float(largest), 6),
            )


def outcomes(tables: Tables) -> list[OutcomeCount]:
    """How the sessions ended, the most frequent first, unknown last."""
    counts = list(tables.rows(f"SELECT outcome, count(*), sum({RECORDED}) FROM sessions GROUP BY outcome"))
    everything = sum(count for _, count, _ in counts)
    rows = [
        OutcomeCount(outcome=name, sessions=count, share=round(count / everything, 4), recorded=recorded)
        for name, count, recorded in counts
    ]
    return sorted(rows, key=lambda row: (row.outcome == OutcomeStatus.UNKNOWN.value, -row.sessions, row.outcome))
