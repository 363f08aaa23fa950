"""The figures over a set of sessions. Every function takes rows of the table `sessions`."""

from __future__ import annotations

import math

import pandas

from analyzer.model.audit_figures import Distribution, InsideLoops, Metrics, OutcomeCount, Share
from analyzer.model.words import OutcomeStatus

_Z = 1.959963984540054
"""The 97.5% point of the normal distribution."""
_VERDICT = 0.9
"""A judgement by somebody else than the agent gives this confidence at least; what is read from the session's course
less."""
_TOLD_BY_THE_LOG = (OutcomeStatus.LIMIT_REACHED.value, OutcomeStatus.CRASHED.value)


def share(count: int, of: int) -> Share:
    """`count` of `of` with the Wilson score interval at 95% (Wilson 1927; Brown, Cai & DasGupta 2001, eq. 4)."""
    if not of:
        return Share(count=count, of=of, share=None, low=None, high=None)
    p, square = count / of, _Z * _Z
    middle = (p + square / (2 * of)) / (1 + square / of)
    half = _Z * math.sqrt(p * (1 - p) / of + square / (4 * of * of)) / (1 + square / of)
    return Share(
        count=count,
        of=of,
        share=round(p, 4),
        low=round(max(0.0, middle - half), 4),
        high=round(min(1.0, middle + half), 4),
    )


def distribution(values: pandas.Series) -> Distribution:
    """How the known values are spread; quantiles are interpolated linearly."""
    known = values.dropna().astype("float64")
    if known.empty:
        return Distribution(sessions=0, total=0, median=None, mean=None, p90=None, maximum=None)
    return Distribution(
        sessions=len(known),
        total=round(float(known.sum()), 6),
        median=round(float(known.median()), 6),
        mean=round(float(known.mean()), 6),
        p90=round(float(known.quantile(0.9)), 6),
        maximum=round(float(known.max()), 6),
    )


def can_show_a_loop(sessions: pandas.DataFrame) -> pandas.Series:
    """Whether a session has an action, or a loop without any, as booleans."""
    return (sessions["actions"] > 0) | (sessions["loops"] > 0)


def acted(sessions: pandas.DataFrame) -> pandas.DataFrame:
    """The sessions that can show a loop."""
    return sessions[can_show_a_loop(sessions)]


def known_outcome(sessions: pandas.DataFrame) -> pandas.DataFrame:
    """The sessions of which it's known how they ended."""
    return sessions[sessions["outcome"] != OutcomeStatus.UNKNOWN.value]


def success(sessions: pandas.DataFrame) -> Share:
    """The share that succeeded of those with a known outcome."""
    known = known_outcome(sessions)
    return share(int((known["outcome"] == OutcomeStatus.SUCCEEDED.value).sum()), len(known))


def loop_rate(sessions: pandas.DataFrame) -> Share:
    """The share with a loop of those that can show one."""
    able = acted(sessions)
    return share(int((able["loops"] > 0).sum()), len(able))


def durations(sessions: pandas.DataFrame) -> pandas.Series:
    """Seconds; unknown where the log has no times, or only one for the whole session."""
    return sessions["duration_seconds"].where(sessions["duration_seconds"] > 0)


def working_times(sessions: pandas.DataFrame) -> pandas.Series:
    """How long the sessions in which something was done took, without the pauses between turns where they are known;
    what the others took says nothing of the work."""
    active = sessions["active_seconds"].where(sessions["active_seconds"] > 0)
    return active.fillna(durations(sessions)).where(can_show_a_loop(sessions))


def tokens(sessions: pandas.DataFrame) -> pandas.Series:
    """Input and output tokens; unknown where neither is recorded, and where the record is 0 though the agent worked."""
    total = sessions["tokens_input"].fillna(0) + sessions["tokens_output"].fillna(0)
    return total.where(total > 0).astype("float64")


def costs(sessions: pandas.DataFrame) -> pandas.Series:
    """USD; a recorded cost of 0 says that nobody counted."""
    return sessions["cost_usd"].where(sessions["cost_usd"] > 0)


def inside_loops(sessions: pandas.DataFrame) -> list[InsideLoops]:
    """Actions, seconds, tokens and USD inside of loops, each over the sessions that record it. What no session records
    is left out."""
    able = acted(sessions)
    parts = (
        ("actions", able["actions"].astype("float64"), able["loop_actions"]),
        ("seconds", durations(able), able["loop_seconds"]),
        ("tokens", tokens(able), able["loop_tokens"]),
        ("usd", costs(able), able["loop_usd"]),
    )
    found = (_inside(what, total, inside, able["loops"] > 0) for what, total, inside in parts)
    return [entry for entry in found if entry.sessions]


def _inside(what: str, total: pandas.Series, inside: pandas.Series, looping: pandas.Series) -> InsideLoops:
    spent = inside.astype("float64").where(looping, 0.0)
    known = total.notna() & spent.notna()
    whole = total[known]
    part = spent[known].clip(upper=whole)
    everything, within = float(whole.sum()), float(part.sum())
    return InsideLoops.model_validate(
        {
            "what": what,
            "sessions": int(known.sum()),
            "looping": int((known & looping).sum()),
            "total": round(everything, 6),
            "inside": round(within, 6),
            "share": round(within / everything, 4) if everything else None,
            "largest": round(float(whole.max()), 6) if len(whole) else 0,
        }
    )


def recorded(sessions: pandas.DataFrame) -> pandas.Series:
    """Whether the log itself says how a session ended, as booleans: by the verdict of an evaluation, or a limit, a
    crash, an interruption."""
    outcome, sure = sessions["outcome"], sessions["outcome_confidence"]
    verdict = outcome.isin([OutcomeStatus.SUCCEEDED.value, OutcomeStatus.FAILED.value]) & (sure >= _VERDICT)
    interrupted = (outcome == OutcomeStatus.ABANDONED.value) & (sure >= 0.8)
    return verdict | interrupted | outcome.isin(_TOLD_BY_THE_LOG)


def outcomes(sessions: pandas.DataFrame) -> list[OutcomeCount]:
    """How the sessions ended, the most frequent first, unknown last."""
    counts = sessions["outcome"].value_counts()
    reported = sessions["outcome"][recorded(sessions)].value_counts()
    rows = [
        OutcomeCount(
            outcome=str(name),
            sessions=int(count),
            share=round(int(count) / len(sessions), 4),
            recorded=int(reported.get(name, 0)),
        )
        for name, count in counts.items()
    ]
    return sorted(rows, key=lambda row: (row.outcome == OutcomeStatus.UNKNOWN.value, -row.sessions, row.outcome))


def metrics(sessions: pandas.DataFrame, findings: pandas.DataFrame) -> Metrics:
    """All figures; `findings` are the sessions' findings."""
    able = acted(sessions)
    good = sessions[sessions["outcome"] == OutcomeStatus.SUCCEEDED.value]
    loops = findings[(findings["category"] == "loop") & (findings["severity"] != "info")]
    saved = sessions["actions_saved"].fillna(0)
    return Metrics(
        loop_rate=loop_rate(sessions),
        loops=len(loops),
        escaped=int(loops["escaped"].fillna(False).sum()),
        success=success(sessions),
        success_by_verdict=int(recorded(good).sum()),
        success_recorded=success(sessions[recorded(sessions)]),
        success_judged=success(sessions[~recorded(sessions)]),
        unknown=int((sessions["outcome"] == OutcomeStatus.UNKNOWN.value).sum()),
        actions=distribution(able["actions"]),
        actions_succeeded=distribution(good["actions"][good["actions"] > 0]),
        seconds=distribution(working_times(sessions)),
        seconds_succeeded=distribution(working_times(good)),
        tokens=distribution(tokens(sessions)),
        usd=distribution(costs(sessions)),
        inside=inside_loops(sessions),
        detectable=int((saved > 0).sum()),
        saved=int(saved.sum()),
    )
