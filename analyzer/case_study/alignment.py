"""The best alignment of a run with a plan.

An alignment (Adriansyah 2014, "Aligning observed and modeled behavior"; van der Aalst, Adriansyah, van Dongen 2012,
"Replaying history on process models for conformance checking and performance analysis") pairs the actions of a run with
the moves of a model: both together, only the run (an action that nothing explains), or only the model (a step that's
missing). The best one costs least. Since the models are acyclic, a dynamic program over actions and places finds it, in
time proportional to the actions that may be meant for some step, times the places.

Beyond the literature's moves a step has attempts: actions that tried it and failed, or didn't do it as planned before
one did. They lead nowhere in the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analyzer.case_study.plan_net import PlanNet

EXTRA = 1_000
"""The cost of an action that nothing explains, in thousandths of a move."""
_FINE = 1_000_000_000
"""Costs proper are so much larger than the preferences between alignments of the same cost."""
_UNEXPLAINED = 1_000
"""The preference against leaving an action unexplained, even where that costs nothing."""
_NEVER = 1 << 80


@dataclass(frozen=True, slots=True)
class Candidate:
    """A step that an action may be meant for: what it costs to take the action for it, and as one of its attempts (in
    thousandths; None where it can't be), with a preference from 0 to 100 among attempts of equal cost."""

    step: int
    done: int | None
    attempt: int | None
    preference: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """One action of a run: what it costs to leave it unexplained, and the steps it may be meant for."""

    extra: int
    candidates: Sequence[Candidate] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """One move: `done` and `attempt` pair an action with a step, `extra` is an action alone, `skip` a step alone. Both
    are numbered from 0."""

    kind: Literal["done", "attempt", "extra", "skip"]
    event: int | None
    step: int | None


@dataclass(frozen=True, slots=True)
class Alignment:
    """The moves of the best alignment, its cost, and that of the worst one, in which no action is taken for any step.
    Attempts that cost nothing count in neither, so that trying again and again makes no run look better."""

    moves: list[Move]
    cost: int
    worst: int


def align(plan_net: PlanNet, events: Sequence[Event]) -> Alignment:
    """The best alignment; of equally good ones that which takes the earliest action for a step."""
    first, first_skips = _start(plan_net)
    costs, asked = first, []
    chosen: list[list[int]] = []
    skipped: list[dict[int, int]] = []
    offset = 0
    for number, event in enumerate(events):
        if not event.candidates:
            offset += event.extra
            continue
        costs, choice, skips = _next(plan_net, costs, event)
        asked.append(number)
        chosen.append(choice)
        skipped.append(skips)
    moves = _trace(plan_net, events, asked, chosen, [*skipped, first_skips])
    tried = {
        move.event
        for move in moves
        if move.kind == "attempt"
        and any(found.step == move.step and found.attempt == 0 for found in events[move.event or 0].candidates)
    }
    total = sum(event.extra for number, event in enumerate(events) if number not in tried)
    return Alignment(moves, costs[plan_net.end] // _FINE + offset, first[plan_net.end] // _FINE + total)


def _start(plan_net: PlanNet) -> tuple[list[int], dict[int, int]]:
    costs = [0] + [_NEVER] * plan_net.end
    skips: dict[int, int] = {}
    _close(plan_net, costs, [0] * (plan_net.end + 1), skips)
    return costs, skips


def _next(plan_net: PlanNet, costs: list[int], event: Event) -> tuple[list[int], list[int], dict[int, int]]:
    """The costs after one more action, and how each place was reached: 0 for an action alone, N for the Nth candidate
    done (from 1), -N for its attempt; and the places reached by a skip from another one."""
    alone = event.extra * _FINE + _UNEXPLAINED
    after = [cost + alone for cost in costs]
    choice = [0] * len(after)
    better = False
    for number, candidate in enumerate(event.candidates, 1):
        done = None if candidate.done is None else candidate.done * _FINE
        tried = None if candidate.attempt is None else candidate.attempt * _FINE + candidate.preference
        for start, end in plan_net.steps[candidate.step]:
            cost = costs[start]
            if done is not None and cost + done < after[end]:
                after[end], choice[end], better = cost + done, number, True
            if tried is not None and cost + tried < after[start]:
                after[start], choice[start], better = cost + tried, -number, True
    skips: dict[int, int] = {}
    if better:
        _close(plan_net, after, choice, skips)
    return after, choice, skips


def _close(plan_net: PlanNet, costs: list[int], choice: list[int], skips: dict[int, int]) -> None:
    for number, (start, end, cost, _) in enumerate(plan_net.skips):
        if costs[start] + cost * _FINE < costs[end]:
            costs[end], choice[end], skips[end] = costs[start] + cost * _FINE, 0, number


def _trace(
    plan_net: PlanNet, events: Sequence[Event], asked: list[int], chosen: list[list[int]], skipped: list[dict[int, int]]
) -> list[Move]:
    """The moves from the end back to the start; `skipped` ends with the skips before the first action."""
    moves: list[Move] = []
    place, column = plan_net.end, len(asked) - 1
    number = len(events) - 1
    while True:
        skip = skipped[column].get(place)
        if skip is not None:
            start, _, _, steps = plan_net.skips[skip]
            moves += [Move("skip", None, step) for step in reversed(steps)]
            place = start
            continue
        until = asked[column] if column >= 0 else -1
        moves += [Move("extra", alone, None) for alone in range(number, until, -1)]
        number = until
        if column < 0:
            return moves[::-1]
        choice = chosen[column][place]
        candidate = events[until].candidates[abs(choice) - 1] if choice else None
        if candidate is None:
            moves.append(Move("extra", until, None))
        elif choice < 0:
            moves.append(Move("attempt", until, candidate.step))
        else:
            moves.append(Move("done", until, candidate.step))
            place = next(start for start, end in plan_net.steps[candidate.step] if end == place)
        number, column = until - 1, column - 1
