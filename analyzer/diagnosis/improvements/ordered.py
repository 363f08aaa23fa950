"""The improvements of a session in the order of what they would have saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from analyzer.detectors.engine.registry import declared
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.causes.clues import Shape, shape_of
from analyzer.diagnosis.guidance import guidance_for
from analyzer.diagnosis.improvements import guard, instructions, of_findings, tools
from analyzer.diagnosis.improvements.idea import impact
from analyzer.model.diagnosis import EarlyStop, Improvement
from analyzer.model.finding import Cost
from analyzer.text.english import listed

MOST = 5
"""How many improvements are given."""
_MUCH = 4
"""Actions saved from which on an improvement comes first."""


def improvements_of(case: Case, stop: EarlyStop) -> list[Improvement]:
    """The improvements, numbered from 1; those that save most come first, whatever they change."""
    found = [*guard.ideas(case, stop), *instructions.ideas(case), *tools.ideas(case), *of_findings.ideas(case)]
    different = list({idea.sketch or idea.change: idea for idea in reversed(found)}.values())[::-1]
    weighed = [(idea, idea.saved.cost(case)) for idea in different]
    weighed.sort(key=lambda entry: _weight(entry[1]), reverse=True)
    actions = len(case.timeline.actions)
    counted = Counted()
    return [
        Improvement(
            priority=number,
            title=idea.title,
            impact=impact(idea, cost, idea.saved.steps(case), actions)
            + counted.again(number, idea.saved.lane, idea.saved.steps(case)),
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


def lessons_of(case: Case, improvements: Sequence[Improvement]) -> list[str]:
    """What to remember: the lesson that a detector declares, and the rules that the session would have
    written down."""
    told = case.misread or (case.main if shape_of(case) is Shape.OTHER else None)
    declares = told is not None and declared(told).guidance_for(told.kind) is not None
    rules = (item.sketch or "" for item in improvements if item.where == "instructions")
    return [
        *([guidance_for(told).lesson] if told is not None and declares else []),
        *(rule.removeprefix("- ") for rule in rules if rule),
    ]


class Counted:
    """Which steps the improvements so far would have saved, so that nobody adds the same ones up twice."""

    def __init__(self) -> None:
        self._by: dict[tuple[str, int], int] = {}

    def again(self, improvement: int, lane: str, steps: Sequence[int]) -> str:
        """A sentence on those of its steps that an earlier one would have saved too; empty where there are none."""
        places = [(lane, step) for step in steps]
        earlier = sorted({self._by[place] for place in places if place in self._by})
        shared = sum(place in self._by for place in places)
        for place in places:
            self._by.setdefault(place, improvement)
        if not shared:
            return ""
        which = "It is" if len(steps) == 1 else "All of them are" if shared == len(steps) else f"{shared} of them are"
        if len(steps) > 1 and shared == 1:
            which = "1 of them is"
        return f" {which} counted in {listed([str(number) for number in earlier])} too."


def _weight(cost: Cost | None) -> tuple[int, float, int, float]:
    if cost is None:
        return (0, 0.0, 0, 0.0)
    return cost.actions, cost.seconds or 0.0, cost.tokens or 0, cost.usd or 0.0


def _phase(cost: Cost | None) -> Literal["now", "next", "later"]:
    if cost is None:
        return "later"
    return "now" if cost.actions >= _MUCH else "next"
