"""The figures over all sessions, and what the other figures need of the table `sessions`, as SQL expressions."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from analyzer.audit.figures.counts import Sum, total, wilson
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
        median=round(median(known), 6),
        mean=round(everything / len(known), 6),
        p90=round(_quantile(known, 0.9), 6),
        maximum=round(float(known[-1]), 6),
    )


def median(ordered: Sequence[float]) -> float:
    """The middle of the ordered values, of which there's one at least."""
    middle = len(ordered) // 2
    return float(ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2)


def _quantile(ordered: Sequence[float], part: float) -> float:
    """The value below which this part of the ordered values lies."""
    place = part * (len(ordered) - 1)
    below = math.floor(place)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    return float(low + (high - low) * (place - below))


@dataclass(slots=True)
class _Inside:
    """What loops took of one thing, over the sessions that record it."""

    sessions: int = 0
    looping: int = 0
    whole: Sum = field(default_factory=Sum)
    within: Sum = field(default_factory=Sum)
    largest: float = 0.0

    def add(self, whole: float | None, inside: float | None, *, looping: bool) -> None:
        """Count a session; without a loop nothing was inside one."""
        part = inside if looping else 0.0
        if whole is None or part is None:
            return
        self.sessions += 1
        self.looping += looping
        self.whole.add(float(whole))
        self.within.add(float(min(part, whole)))
        self.largest = max(self.largest, float(whole))

    def shown(self, what: str) -> InsideLoops:
        """The figures."""
        everything, within = self.whole.total, self.within.total
        return InsideLoops.model_validate(
            {
                "what": what,
                "sessions": self.sessions,
                "looping": self.looping,
                "total": round(everything, 6),
                "inside": round(within, 6),
                "share": round(within / everything, 4) if everything else None,
                "largest": round(self.largest, 6),
            }
        )


_COUNTS = f"""SELECT count(*), sum({ABLE}), sum({ABLE} AND loops > 0), sum({KNOWN}), sum({GOOD}),
  sum({RECORDED} AND {GOOD}), sum({RECORDED} AND {KNOWN}), sum(actions_saved > 0), sum(actions_saved)
  FROM sessions"""
_LOOPS = f"""SELECT count(*), sum(coalesce(escaped, 0)) FROM findings
WHERE category = 'loop' AND severity <> '{Severity.INFO}'"""
_VALUES = f"""SELECT {GOOD}, {ABLE}, loops > 0, actions, {WORKING_TIME}, {SECONDS}, {TOKENS}, {COST},
  loop_actions, loop_seconds, loop_tokens, loop_usd FROM sessions"""


def metrics(tables: Tables) -> Metrics:
    """All figures."""
    counts = next(tables.rows(_COUNTS))
    sessions, able, looping, known, good, good_recorded, known_recorded, detectable, saved = (
        int(value or 0) for value in counts
    )
    loops, escaped = (int(value or 0) for value in next(tables.rows(_LOOPS)))
    spread = {name: array("d") for name in ("actions", "actions_good", "seconds", "seconds_good", "tokens", "usd")}
    inside = {what: _Inside() for what in ("actions", "seconds", "tokens", "usd")}
    for is_good, is_able, loops_there, acts, worked, seconds, tokens, usd, *within in tables.rows(_VALUES):
        if is_able:
            spread["actions"].append(acts)
            for entry, whole, part in zip(inside.values(), (acts, seconds, tokens, usd), within, strict=True):
                entry.add(whole, part, looping=bool(loops_there))
        if is_good and acts > 0:
            spread["actions_good"].append(acts)
        for name, value in (
            ("seconds", worked),
            ("seconds_good", worked if is_good else None),
            ("tokens", tokens),
            ("usd", usd),
        ):
            if value is not None:
                spread[name].append(value)
    return Metrics(
        loop_rate=share(looping, able),
        loops=loops,
        escaped=escaped,
        success=share(good, known),
        success_by_verdict=good_recorded,
        success_recorded=share(good_recorded, known_recorded),
        success_judged=share(good - good_recorded, known - known_recorded),
        unknown=sessions - known,
        actions=distribution(spread["actions"]),
        actions_succeeded=distribution(spread["actions_good"]),
        seconds=distribution(spread["seconds"]),
        seconds_succeeded=distribution(spread["seconds_good"]),
        tokens=distribution(spread["tokens"]),
        usd=distribution(spread["usd"]),
        inside=[found for found in (entry.shown(what) for what, entry in inside.items()) if found.sessions],
        detectable=detectable,
        saved=saved,
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
