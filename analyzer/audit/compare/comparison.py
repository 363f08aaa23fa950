"""Everything about two sets of sessions, put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, log
from statistics import fmean

from analyzer.audit.compare import statistics
from analyzer.audit.compare.frequencies import frequencies
from analyzer.audit.compare.measure import Measured, measure, reading, sensitivity
from analyzer.audit.compare.pairing import Asked, Pairs, Task, pair
from analyzer.audit.compare.side import METRICS, Metric, Run, Side
from analyzer.audit.compare.steps import runs_beside
from analyzer.audit.compare.verdict import cautions, regressions, verdict
from analyzer.model.comparison import (
    Attempted,
    Comparison,
    Flip,
    MetricChange,
    OutcomePair,
    Pairing,
    Reading,
    SideFacts,
)
from analyzer.model.words import OutcomeStatus, Severity

_MOST_OF_ONE = 0.5
"""Pairs are what is compared where they hold at least this share of the smaller side's sessions."""

_ENORMOUS_SHARE = 0.3
_ENORMOUS_FACTOR = 2.0
"""A sample that shows only differences beyond these (of an average: beyond itself) says nothing."""

Strata = Sequence[tuple[Sequence[Run], Sequence[Run]]]


def compare(before: Side, after: Side, *, pair_by: Asked = "auto", confidence: float = 0.95) -> Comparison:
    """Two sets of sessions compared. Raises `ValueError` where one is empty.

    With pairs the metrics are those of the paired sessions, task by task, unless `auto` pairs less than half of the
    smaller side. Where a `pair_by` that was asked for pairs nothing, all sessions are compared, and `pairing.by` is
    `none`.
    """
    if not before.runs or not after.runs:
        raise ValueError("a side without sessions can't be compared")
    pairs = pair(before.runs, after.runs, pair_by)
    fewest = min(len(before.runs) - len(pairs.alone_before), len(after.runs) - len(pairs.alone_after))
    enough = fewest >= _MOST_OF_ONE * min(len(before.runs), len(after.runs))
    paired = bool(pairs.tasks) and (enough or pair_by not in ("auto", "none"))
    strata: Strata = [(task.before, task.after) for task in pairs.tasks] if paired else [(before.runs, after.runs)]
    rest: tuple[Sequence[Run], Sequence[Run]] = (pairs.alone_before, pairs.alone_after) if paired else ((), ())
    metrics = _metrics(strata, confidence, paired=paired)
    findings = frequencies(strata, rest, "kinds", confidence, paired=paired)
    failures = frequencies(strata, rest, "prints", confidence, paired=paired)
    flipped = flips(pairs.tasks)
    pairing = _pairing(pairs, pair_by, used=paired)
    sides = _facts(before), _facts(after)
    recordings = [
        sorted((side.digests[run.path], run.position) for run in side.runs if run.path in side.digests)
        for side in (before, after)
    ]
    same = recordings[0] == recordings[1] and len(recordings[0]) == len(before.runs)
    return Comparison(
        same=same,
        before=sides[0],
        after=sides[1],
        confidence=confidence,
        pairing=pairing,
        verdict=verdict(metrics, flipped, findings, pairing, confidence, same=same),
        cautions=cautions(before, after, sides, pairing, metrics),
        regressions=regressions(metrics, findings, failures),
        metrics=metrics,
        outcomes=outcome_pairs(pairs.tasks),
        lost=sum(flip.direction == "lost" for flip in flipped),
        won=sum(flip.direction == "won" for flip in flipped),
        flips=flipped,
        runs=runs_beside(before, after, pairs.tasks, flipped),
        findings=findings,
        failure_groups=failures,
    )


def _metrics(strata: Strata, confidence: float, *, paired: bool) -> list[MetricChange]:
    found = []
    for metric in METRICS:
        shown = (
            [[value for run in runs if (value := run.metrics[metric.name]) is not None] for runs in pair_]
            for pair_ in strata
        )
        values = [(old, new) for old, new in shown]
        found.append(measure(values, metric.scale, metric.offset, confidence, paired=paired))
    first, *others = found
    corrected = [first.p, *statistics.holm([entry.p for entry in others])]
    tests = [1, *[sum(entry.p is not None for entry in others)] * len(others)]
    return [_metric(*row, confidence) for row in zip(METRICS, found, corrected, tests, strict=True)]


def _metric(metric: Metric, found: Measured, corrected: float | None, tests: int, confidence: float) -> MetricChange:
    ratio = metric.scale == "ratio"
    reference = metric.reference
    if reference is None and found.before is not None and found.after is not None:
        reference = 0.2 * fmean((found.before, found.after)) or None
    noticeable, needed = sensitivity(found, tests, log(reference) if ratio and reference else reference, confidence)

    facts = found.facts(MetricChange)
    facts |= {name: getattr(metric, name) for name in ("title", "unit", "scale", "more_is_better")}
    if ratio:
        facts |= {name: exp(facts[name]) for name in ("difference", "low", "high") if facts[name] is not None}
    return MetricChange(
        **facts,
        p_corrected=corrected,
        reading=_reading(metric, found, corrected, noticeable, confidence),
        metric=metric.name,
        noticeable=exp(noticeable) if ratio and noticeable is not None else noticeable,
        reference=reference,
        needed=needed,
    )


def _reading(
    metric: Metric, found: Measured, corrected: float | None, noticeable: float | None, confidence: float
) -> Reading:
    """What the row says; where only an enormous difference would have shown, that nothing can be said."""
    verdict = reading(found, corrected, confidence, more_is_better=metric.more_is_better, effort=metric.effort)
    if verdict not in ("no difference shown", "equal") or noticeable is None:
        return verdict
    enormous = _ENORMOUS_SHARE if metric.unit == "share" else fmean((found.before or 0, found.after or 0))
    enormous = log(_ENORMOUS_FACTOR) if metric.scale == "ratio" else enormous
    return "too few" if noticeable > enormous else verdict


def _pairing(pairs: Pairs, asked: Asked, *, used: bool) -> Pairing:
    return Pairing(
        asked=asked,
        by=pairs.by,
        tasks=len(pairs.tasks),
        one_to_one=sum(len(task.before) == len(task.after) == 1 for task in pairs.tasks),
        paired_before=sum(len(task.before) for task in pairs.tasks),
        paired_after=sum(len(task.after) for task in pairs.tasks),
        unpaired_before=len(pairs.alone_before),
        unpaired_after=len(pairs.alone_after),
        used=used,
        attempts=[
            Attempted(by=attempt.by, tasks=len(attempt.tasks), left_out=attempt.left_out, usable=attempt.usable)
            for attempt in pairs.attempts
        ],
    )


def _facts(side: Side) -> SideFacts:
    starts = sorted(run.started_at for run in side.runs if run.started_at)
    return SideFacts(
        name=side.name,
        sessions=len(side.runs),
        agents=_counted(" ".join(filter(None, (run.agent, run.agent_version))) for run in side.runs),
        models=_counted(run.model or "" for run in side.runs),
        formats=_counted(run.format for run in side.runs),
        first_started=starts[0] if starts else None,
        last_started=starts[-1] if starts else None,
        outcomes=_counted(run.outcome for run in side.runs),
        problems=side.problems,
    )


def _counted(words: Iterable[str]) -> dict[str, int]:
    """How often each word but the empty one occurs, the most frequent first."""
    return dict(sorted(Counter(filter(None, words)).items(), key=lambda entry: (-entry[1], entry[0])))


_CLEAR = 0.5
"""A task with several trials has flipped where the share of those that succeeded changes by at least so much."""
_MOST_NEW = 4


def flips(tasks: Sequence[Task]) -> list[Flip]:
    """The tasks whose success changed, the lost ones first, in the order of the tasks, but for unknown outcomes."""
    return sorted(filter(None, map(_flip, tasks)), key=lambda flip: flip.direction)


def outcome_pairs(tasks: Sequence[Task]) -> list[OutcomePair]:
    """How often each outcome on one side meets each on the other, over the tasks with one session on each."""
    counts = Counter(
        (task.before[0].outcome, task.after[0].outcome) for task in tasks if len(task.before) == len(task.after) == 1
    )
    order = list(OutcomeStatus)
    ranked = sorted(counts, key=lambda pair: tuple(order.index(OutcomeStatus(name)) for name in pair))
    return [OutcomePair(before=before, after=after, count=counts[before, after]) for before, after in ranked]


def _flip(task: Task) -> Flip | None:
    before, after = ([run for run in runs if run.succeeded is not None] for runs in (task.before, task.after))
    if not before or not after:
        return None
    change = _share(after) - _share(before)
    if abs(change) < _CLEAR:
        return None
    lost = change < 0
    old, new = _typical(before, succeeded=lost), _typical(after, succeeded=not lost)
    bad, good = (new, old) if lost else (old, new)
    fresh = sorted(
        (name for name in bad.kinds if name not in good.kinds),
        key=lambda name: (-(bad.kinds[name].severity or Severity.INFO).rank, bad.kinds[name].step, name),
    )
    return Flip(
        task=task.name,
        direction="lost" if lost else "won",
        before=_ended(before),
        after=_ended(after),
        session_before=old.id,
        path_before=old.path,
        session_after=new.id,
        path_after=new.path,
        headline=bad.headline,
        new=fresh[:_MOST_NEW],
    )


def _share(runs: Sequence[Run]) -> float:
    return sum(bool(run.succeeded) for run in runs) / len(runs)


def _typical(runs: Sequence[Run], *, succeeded: bool) -> Run:
    """The first session that ended the way that the side is shown for."""
    return next((run for run in runs if run.succeeded is succeeded), runs[0])


def _ended(runs: Sequence[Run]) -> str:
    if len(runs) == 1:
        return runs[0].outcome.replace("_", " ")
    return f"{sum(bool(run.succeeded) for run in runs)} of {len(runs)} succeeded"
