"""Which policies no other one beats."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.backtest import PolicyScore


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
        better = [other for other in rivals if _beats(other, score)]
        best = max(
            better, key=lambda other: (other.spared or 0.0, other.precision or 0.0, other.recall or 0.0), default=None
        )
        done.append(
            score.model_copy(update={"frontier": best is None, "beaten_by": best.policy if best is not None else None})
        )
    return sorted(done, key=_place)


def _beats(one: PolicyScore, other: PolicyScore) -> bool:
    pairs = list(zip(_measures(one), _measures(other), strict=True))
    return all(mine >= yours for mine, yours in pairs) and any(mine > yours for mine, yours in pairs)


def _measures(score: PolicyScore) -> tuple[float, float, float]:
    return score.recall or 0.0, score.precision or 0.0, score.spared or 0.0


def _place(score: PolicyScore) -> tuple[object, ...]:
    recall, precision, spared = _measures(score)
    if score.frontier:
        return 0, -recall, -precision, -spared, score.name, score.policy
    return 1, -spared, -precision, -recall, score.name, score.policy
