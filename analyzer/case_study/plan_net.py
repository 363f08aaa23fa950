"""The steps of a plan with their names; and the plan as a small process model: places, and the moves between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analyzer.model.scenario import AnyOrder, OneOf, PlanEntry, PlanStep


@dataclass(frozen=True, slots=True)
class NamedStep:
    """A step of the plan: its name, and its place in the scenario file as keys and positions."""

    name: str
    step: PlanStep
    place: tuple[str | int, ...]

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools of which any will do."""
        return (self.step.tool,) if isinstance(self.step.tool, str) else tuple(self.step.tool)

    @property
    def tool(self) -> str:
        """The tools in words."""
        return " or ".join(self.tools)


def named_steps(plan: Sequence[PlanEntry]) -> list[NamedStep]:
    """Every step of the plan; `step_N` counts all of them from top to bottom, those of groups and of all alternatives
    too."""
    found: list[tuple[PlanStep, tuple[str | int, ...]]] = []
    for position, entry in enumerate(plan):
        if isinstance(entry, AnyOrder):
            found += [(step, ("plan", position, "any_order", number)) for number, step in enumerate(entry.any_order)]
        elif isinstance(entry, OneOf):
            found += [
                (step, ("plan", position, "one_of", number, inner))
                for number, way in enumerate(entry.one_of)
                for inner, step in enumerate(way)
            ]
        else:
            found.append((entry, ("plan", position)))
    return [NamedStep(step.id or f"step_{number}", step, place) for number, (step, place) in enumerate(found, 1)]


MISSING = 1_000
"""The cost of a step that isn't done, in thousandths of a move."""
MOST_FREE = 8
"""Steps of an any-order group up to which all orders are tried."""


@dataclass(slots=True)
class PlanNet:
    """Places are numbered so that every move leads to a higher number; 0 is the start, `end` the last one.

    `steps[s]` are the moves (from, to) by which step `s` is done; `skips` the moves without an action: from, to, cost,
    and the steps that are left out.
    """

    end: int = 0
    steps: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    skips: list[tuple[int, int, int, tuple[int, ...]]] = field(default_factory=list)


def plan_net_of(plan: Sequence[PlanEntry], order: Callable[[list[int]], list[int]] = list) -> PlanNet:
    """The model of a plan whose steps are numbered from 0, from top to bottom. `order` puts the steps of groups that
    are too large for all orders into one."""
    plan_net, number = PlanNet(), 0
    for entry in plan:
        if isinstance(entry, AnyOrder):
            steps = list(range(number, number + len(entry.any_order)))
            optional = [step.optional for step in entry.any_order]
            number += len(steps)
            if len(steps) <= MOST_FREE:
                _any_order(plan_net, steps, optional)
            else:
                for step in order(steps):
                    _step(plan_net, step, entry.any_order[step - steps[0]].optional)
        elif isinstance(entry, OneOf):
            start, ends = plan_net.end, []
            for way in entry.one_of:
                plan_net.end += 1
                plan_net.skips.append((start, plan_net.end, 0, ()))
                for inner in way:
                    _step(plan_net, number, inner.optional)
                    number += 1
                ends.append(plan_net.end)
            plan_net.end += 1
            plan_net.skips += [(end, plan_net.end, 0, ()) for end in ends]
        else:
            _step(plan_net, number, entry.optional)
            number += 1
    plan_net.skips.sort()
    return plan_net


def _step(plan_net: PlanNet, step: int, optional: bool) -> None:
    start, plan_net.end = plan_net.end, plan_net.end + 1
    plan_net.steps[step].append((start, plan_net.end))
    plan_net.skips.append((start, plan_net.end, 0 if optional else MISSING, (step,)))


def _any_order(plan_net: PlanNet, steps: list[int], optional: list[bool]) -> None:
    """One place for each set of steps that are done; from each the group can be left."""
    base, full = plan_net.end, 2 ** len(steps) - 1
    plan_net.end = base + full + 1
    for done in range(full + 1):
        left = [position for position in range(len(steps)) if not done >> position & 1]
        for position in left:
            plan_net.steps[steps[position]].append((base + done, base + (done | 1 << position)))
        cost = sum(MISSING for position in left if not optional[position])
        plan_net.skips.append((base + done, plan_net.end, cost, tuple(steps[position] for position in left)))
