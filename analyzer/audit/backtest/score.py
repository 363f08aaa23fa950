"""What one policy did to all runs, counted."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from math import isnan
from operator import gt
from statistics import fmean, median
from typing import Any

from analyzer.audit.backtest.choice import Choice
from analyzer.audit.backtest.replay import Run
from analyzer.audit.backtest.truth import AlarmEffect, Truth, Verdict, fate_of
from analyzer.audit.figures.counts import wilson
from analyzer.model.backtest import Amount, Example, Interval, PolicyScore, RunCounts

_EXAMPLES = 3


class Amounts:
    """A sum of what actions were worth."""

    def __init__(self) -> None:
        self._actions = 0
        self._known: dict[str, list[float]] = {"seconds": [], "tokens": [], "usd": []}

    def add(self, run: Run, after: int, last: int) -> None:
        """Add what came after the action `after` up to and with `last`."""
        actions = last - after
        self._actions += actions
        begun, ended = run.ends[max(after, 1) - 1], run.ends[last - 1]
        if not isnan(begun) and not isnan(ended):
            self._known["seconds"].append(max(0.0, ended - begun))
        for what, whole, so_far in (("tokens", run.tokens, run.tokens_with), ("usd", run.usd, run.usd_with)):
            if so_far is not None:
                spent: float = so_far[last - 1] - (so_far[after - 1] if after > 0 else 0)
            elif whole is not None:
                spent = whole * actions / run.actions
            else:
                continue
            self._known[what].append(round(spent) if what == "tokens" else spent)

    def amount(self) -> Amount:
        """The sum."""
        known = {f"{what}_of": len(values) for what, values in self._known.items()}
        sums: dict[str, Any] = {
            what: round(sum(self._known[what]), digits) if self._known[what] else None
            for what, digits in (("seconds", 1), ("tokens", None), ("usd", 4))
        }
        return Amount(actions=self._actions, **sums, **known)


class PolicyCounts:
    """Counts one policy. Runs are added in the order of their paths."""

    def __init__(self, choice: Choice, number: int) -> None:
        self._choice = choice
        self._number = number
        self._fates = dict.fromkeys(AlarmEffect, 0)
        self._shares: list[float] = []
        self._taken: list[int] = []
        self._saved, self._lost = Amounts(), Amounts()
        self._solved = 0
        self._misses: list[Example] = []
        self._disturbs: list[tuple[bool, str, int, Example]] = []

    def add(self, run: Run, truth: Truth) -> AlarmEffect:
        """Count what the policy does to one run, and say it."""
        fired = run.fired[self._number]
        fate, stretch = fate_of(run, truth, fired)
        self._fates[fate] += 1
        if stretch is not None:
            self._shares.append((stretch.last - fired) / (stretch.last - stretch.first + 1))
            self._taken.append(fired)
            self._saved.add(run, fired, stretch.last)
        elif fate is AlarmEffect.DISTURBED:
            self._solved += run.solved
            self._lost.add(run, fired, run.actions)
            disturbed = (not run.solved, run.path, run.position, _example(run, fired))
            insort(self._disturbs, disturbed, key=lambda entry: entry[:3])
            del self._disturbs[_EXAMPLES:]
        elif truth.verdict is Verdict.STUCK and len(self._misses) < _EXAMPLES:
            self._misses.append(_example(run, fired))
        return fate

    def score(self, counts: RunCounts) -> PolicyScore:
        """What it comes to. The frontier is found later, when all scores are known."""
        fates = self._fates
        stopped, disturbed = fates[AlarmEffect.STOPPED], fates[AlarmEffect.DISTURBED]
        alarms = stopped + disturbed + fates[AlarmEffect.TOO_SOON]
        return PolicyScore(
            policy=self._choice.label,
            name=self._choice.name,
            settings=dict(self._choice.values),
            about=self._choice.title,
            kind=self._choice.kind,
            as_published=self._choice.as_published,
            stopped=stopped,
            late=fates[AlarmEffect.LATE],
            too_soon=fates[AlarmEffect.TOO_SOON],
            missed=fates[AlarmEffect.MISSED],
            disturbed=disturbed,
            disturbed_solved=self._solved,
            fires_unclear=fates[AlarmEffect.UNCLEAR],
            recall=share(stopped, counts.stuck),
            recall_interval=interval(stopped, counts.stuck),
            precision=share(stopped, alarms),
            precision_interval=interval(stopped, alarms),
            false_alarm_rate=share(disturbed, counts.good),
            to_come=round(fmean(self._shares), 4) if self._shares else None,
            spared=round(sum(self._shares) / counts.stuck, 4) if counts.stuck else None,
            median_action=float(median(self._taken)) if self._taken else None,
            saved=self._saved.amount(),
            lost=self._lost.amount(),
            frontier=False,
            beaten_by=None,
            same_as=None,
            misses=self._misses,
            disturbs=[entry[3] for entry in self._disturbs],
        )


def share(part: int, whole: int) -> float | None:
    """A share, None of nothing."""
    return round(part / whole, 4) if whole else None


def interval(part: int, whole: int) -> Interval | None:
    """The 95% interval of a share by Wilson's score method (E. B. Wilson, 1927), None of nothing."""
    if not whole:
        return None
    low, high = wilson(part, whole)
    return Interval(low=round(low, 4), high=round(high, 4))


def _example(run: Run, fired: int) -> Example:
    return Example(path=run.path, position=run.position, id=run.id, action=fired if fired >= 0 else None)


def ranked(scores: Sequence[PolicyScore], *, apart: bool) -> list[PolicyScore]:
    """The scores with `frontier` and `beaten_by` filled in: the frontier first, by recall, then the others by what they
    spare.

    One policy beats another if it's at least as good in recall, precision and the share of loops that it spares, and
    better in one of them. A policy that stops nothing is never on the frontier. With `apart` our guard is compared with
    itself only, and the others with each other: for runs that our own detectors judge.
    """
    working = [score for score in scores if score.stopped]
    done = []
    for score in scores:
        if not score.stopped:
            done.append(score)
            continue
        rivals = [other for other in working if not apart or (other.kind == "guard") == (score.kind == "guard")]
        mine = _measures(score)
        better = [other for other in rivals if mine != _measures(other) and not any(map(gt, mine, _measures(other)))]
        best = max(
            better, key=lambda other: (other.spared or 0.0, other.precision or 0.0, other.recall or 0.0), default=None
        )
        done.append(
            score.model_copy(update={"frontier": best is None, "beaten_by": best.policy if best is not None else None})
        )
    return sorted(done, key=_place)


def _measures(score: PolicyScore) -> tuple[float, float, float]:
    return score.recall or 0.0, score.precision or 0.0, score.spared or 0.0


def _place(score: PolicyScore) -> tuple[object, ...]:
    recall, precision, spared = _measures(score)
    if score.frontier:
        return 0, -recall, -precision, -spared, score.name, score.policy
    return 1, -spared, -precision, -recall, score.name, score.policy
