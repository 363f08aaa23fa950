"""The steps of a plan with their names, from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
