"""Tasks that one side did and the other didn't."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analyzer.audit.compare.pairing import Task
from analyzer.audit.compare.side import Run
from analyzer.model.comparison import Flip, OutcomePair
from analyzer.model.words import OutcomeStatus

_CLEAR = 0.5
"""A task with several trials has flipped where the share of those that succeeded changes by at least so much."""
_MOST_NEW = 4


def flips(tasks: Sequence[Task]) -> list[Flip]:
    """The tasks whose success changed, the lost ones first, each in the order of the tasks. Sessions of unknown outcome
    don't count."""
    found = [flip for task in tasks if (flip := _flip(task)) is not None]
    return sorted(found, key=lambda flip: flip.direction)


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
        key=lambda name: (-bad.kinds[name][0].rank, bad.kinds[name][1], name),
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
