"""The improvements of a session in the order of what they would have saved."""

from __future__ import annotations

from typing import Literal

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.improvements import guard, instructions, of_findings, tools
from analyzer.diagnosis.improvements.idea import Idea, impact
from analyzer.model.diagnosis import EarlyStop, Improvement
from analyzer.model.finding import Cost

MOST = 5
"""How many improvements are given."""
_MUCH = 4
"""Actions saved from which on an improvement comes first."""


def improvements_of(case: Case, stop: EarlyStop) -> list[Improvement]:
    """The improvements, numbered from 1; those that save most come first, whatever they change."""
    found = [*guard.ideas(case, stop), *instructions.ideas(case), *tools.ideas(case), *of_findings.ideas(case)]
    weighed = [(idea, idea.saved.cost(case)) for idea in _different(found)]
    weighed.sort(key=lambda entry: _weight(entry[1]), reverse=True)
    actions = len(case.timeline.actions)
    return [
        Improvement(
            priority=number,
            title=idea.title,
            impact=impact(idea, cost, idea.saved.steps(case), actions),
            why=idea.why,
            change=idea.change,
            phase=_phase(cost),
            sketch=idea.sketch,
            language=idea.language,
            where=idea.where,
            target=idea.target,
            saves=cost,
        )
        for number, (idea, cost) in enumerate(weighed[:MOST], 1)
    ]


def _different(ideas: list[Idea]) -> list[Idea]:
    """The ideas without those that say the same again."""
    return list({idea.sketch or idea.change: idea for idea in reversed(ideas)}.values())[::-1]


def _weight(cost: Cost | None) -> tuple[int, float, int, float]:
    if cost is None:
        return (0, 0.0, 0, 0.0)
    return cost.actions, cost.seconds or 0.0, cost.tokens or 0, cost.usd or 0.0


def _phase(cost: Cost | None) -> Literal["now", "next", "later"]:
    if cost is None:
        return "later"
    return "now" if cost.actions >= _MUCH else "next"
