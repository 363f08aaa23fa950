"""A state that the log rates better than the one in which the session ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.model.action import Action

LEAST = 0.05
"""The share of the best score that must be lost to be worth a word."""


@dataclass(frozen=True, slots=True)
class ScoreLoss:
    """The best score with the first step that reached it, the score at the end, the step that lost the best, and the
    last one before that which had it."""

    best: float
    at: int
    end: float
    fell: int
    kept: int


def lost(actions: Sequence[Action], least: float = LEAST) -> ScoreLoss | None:
    """The best score, where the end is rated less by at least `least` of it."""
    rated = [(action.step, action.score) for action in actions if not action.harness and action.score is not None]
    if len(rated) < 2:
        return None
    best, end = max(score for _, score in rated), rated[-1][1]
    if best <= 0 or best - end <= least * best:
        return None
    at = next(step for step, score in rated if score == best)
    kept = next(place for place, (_, score) in reversed(list(enumerate(rated))) if score == best)
    return ScoreLoss(best, at, end, rated[kept + 1][0], rated[kept][0])
