"""The steps of a plan with their names; the plan as a small process model, of places and the moves between them; and
the best alignment of a run with it.

An alignment (Adriansyah 2014, "Aligning observed and modeled behavior"; van der Aalst, Adriansyah, van Dongen 2012,
"Replaying history on process models for conformance checking and performance analysis") pairs the actions of a run with
the moves of a model: both together, only the run (an action that nothing explains), or only the model (a step that's
missing). The best one costs least. Since the models are acyclic, a dynamic program over actions and places finds it, in
time proportional to the actions that may be meant for some step, times the places.

Beyond the literature's moves a step has attempts: actions that tried it and failed, or didn't do it as planned before
one did. They lead nowhere in the model.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Literal

from analyzer.model.scenario import AnyOrder, OneOf, PlanEntry, PlanStep
from analyzer.model.struct import Struct, field


class NamedStep(Struct, frozen=True):
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


class PlanNet(Struct):
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


EXTRA = 1_000
"""The cost of an action that nothing explains, in thousandths of a move."""
_FINE = 1_000_000_000
"""Costs proper are so much larger than the preferences between alignments of the same cost."""
_UNEXPLAINED = 1_000
"""The preference against leaving an action unexplained, even where that costs nothing."""
_NEVER = 1 << 80


class Candidate(Struct, frozen=True):
    """A step that an action may be meant for: what it costs to take the action for it, and as one of its attempts (in
    thousandths; None where it can't be), with a preference from 0 to 100 among attempts of equal cost."""

    step: int
    done: int | None
    attempt: int | None
    preference: int = 0


class Event(Struct, frozen=True):
    """One action of a run: what it costs to leave it unexplained, and the steps it may be meant for."""

    extra: int
    candidates: Sequence[Candidate] = ()


class Move(Struct, frozen=True):
    """One move: `done` and `attempt` pair an action with a step, `extra` is an action alone, `skip` a step alone. Both
    are numbered from 0."""

    kind: Literal["done", "attempt", "extra", "skip"]
    event: int | None
    step: int | None


class Alignment(Struct, frozen=True):
    """The moves of the best alignment, its cost, and that of the worst one, in which no action is taken for any step.
    Attempts that cost nothing count in neither, so that trying again and again makes no run look better."""

    moves: list[Move]
    cost: int
    worst: int


_Way = tuple[Move, "_Way"] | None
"""The moves that led to a place: the last one, and the way before it."""


def align(plan_net: PlanNet, events: Sequence[Event]) -> Alignment:
    """The best alignment; of equally good ones that which takes the earliest action for a step."""
    costs = [0] + [_NEVER] * plan_net.end
    ways: list[_Way] = [None] * len(costs)
    _leave_out(plan_net, costs, ways)
    nothing, offset = costs[-1] // _FINE, 0
    for number, event in enumerate(events):
        if not event.candidates:
            offset += event.extra
            continue
        before, led, better = costs, ways, False
        costs, ways = [cost + event.extra * _FINE + _UNEXPLAINED for cost in before], list(led)
        for candidate in event.candidates:
            done = None if candidate.done is None else candidate.done * _FINE
            tried = None if candidate.attempt is None else candidate.attempt * _FINE + candidate.preference
            for start, end in plan_net.steps[candidate.step]:
                if done is not None and before[start] + done < costs[end]:
                    move = Move("done", number, candidate.step)
                    costs[end], ways[end], better = before[start] + done, (move, led[start]), True
                if tried is not None and before[start] + tried < costs[start]:
                    move = Move("attempt", number, candidate.step)
                    costs[start], ways[start], better = before[start] + tried, (move, led[start]), True
        if better:
            _leave_out(plan_net, costs, ways)
    moves = _with_extra(ways[-1], len(events))
    tried_free = {
        move.event
        for move in moves
        if move.kind == "attempt"
        and any(found.step == move.step and found.attempt == 0 for found in events[move.event or 0].candidates)
    }
    total = sum(event.extra for number, event in enumerate(events) if number not in tried_free)
    return Alignment(moves, costs[-1] // _FINE + offset, nothing + total)


def _leave_out(plan_net: PlanNet, costs: list[int], ways: list[_Way]) -> None:
    """Go on from each place without an action, where that is cheaper."""
    for start, end, cost, steps in plan_net.skips:
        if costs[start] + cost * _FINE < costs[end]:
            costs[end], ways[end] = costs[start] + cost * _FINE, ways[start]
            for step in steps:
                ways[end] = Move("skip", None, step), ways[end]


def _with_extra(way: _Way, events: int) -> list[Move]:
    """The moves of a way in their order, with those of the actions that nothing explains."""
    found: list[Move] = []
    while way is not None:
        move, way = way
        found.append(move)
    moves: list[Move] = []
    seen = 0
    for move in reversed(found):
        if move.event is not None:
            moves += [Move("extra", alone, None) for alone in range(seen, move.event)]
            seen = move.event + 1
        moves.append(move)
    return moves + [Move("extra", alone, None) for alone in range(seen, events)]
