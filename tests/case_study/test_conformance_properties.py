"""What holds for every plan and every run."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.case_study.conformance import conform
from analyzer.case_study.plan_net import MISSING, Candidate, Event, PlanNet, align, plan_net_of
from analyzer.model.case_study import Conformance
from analyzer.model.scenario import AnyOrder, OneOf, PlanEntry, PlanStep, Scenario
from analyzer.model.session import ToolCall
from analyzer.model.struct import replace
from tests.build import Part, call, read, session, timeline

steps = st.builds(
    lambda tool, value, optional: PlanStep(
        tool=f"tool_{tool}", arguments={} if value is None else {"x": value}, optional=optional
    ),
    st.sampled_from("abcde"),
    st.one_of(st.none(), st.integers(0, 2)),
    st.booleans(),
)
entries = st.one_of(
    steps,
    st.builds(lambda some: AnyOrder(any_order=some), st.lists(steps, min_size=1, max_size=3)),
    st.builds(lambda ways: OneOf(one_of=ways), st.lists(st.lists(steps, max_size=2), min_size=1, max_size=3)),
)
plans = st.lists(entries, min_size=1, max_size=5)
runs = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 2), st.booleans()), max_size=12)


def compared(plan: list[PlanEntry], parts: list[Part]) -> Conformance:
    found = conform(Scenario(title="t", prompt="p", plan=plan), timeline(*parts))
    assert found is not None
    return found


def acted(calls: list[tuple[str, int, bool]]) -> list[Part]:
    return [
        call(f"tool_{tool}", {"x": value}, "fine" if ok else "Error: broke", is_error=not ok)
        for tool, value, ok in calls
    ]


def made(step: PlanStep) -> Part:
    arguments: dict[str, Any] = dict(step.arguments)
    return call(str(step.tool), arguments, "fine")


def followed(data: st.DataObject, plan: list[PlanEntry]) -> list[Part]:
    """A run that does what the plan says: a way of each choice, groups in some order, optional steps or not."""
    wanted: list[PlanStep] = []
    for entry in plan:
        if isinstance(entry, AnyOrder):
            wanted += data.draw(st.permutations(entry.any_order))
        elif isinstance(entry, OneOf):
            wanted += data.draw(st.sampled_from(entry.one_of))
        else:
            wanted.append(entry)
    return [made(step) for step in wanted if not step.optional or data.draw(st.booleans())]


@settings(deadline=None)
@given(st.data(), plans)
def test_a_run_made_from_the_plan_fits_it_whatever_the_order_within_groups(
    data: st.DataObject, plan: list[PlanEntry]
) -> None:
    found = compared(plan, followed(data, plan))
    assert found.fitness == 1.0
    assert found.extra == []
    assert all(row.conforms for row in found.rows)


@settings(deadline=None)
@given(plans, runs)
def test_numbers_are_within_their_bounds_and_every_action_has_one_place(
    plan: list[PlanEntry], calls: list[tuple[str, int, bool]]
) -> None:
    found = compared(plan, acted(calls))
    assert 0 <= found.fitness <= 1
    assert found.precision is None or 0 <= found.precision <= 1
    assert 0 <= found.reached <= len(found.rows)
    done = [row.action for row in found.rows if row.done]
    assert len(set(done) | set(found.extra)) == len(done) + len(found.extra)
    assert len(found.extra) + sum(row.attempts for row in found.rows) == len(calls)


@pytest.mark.slow
@settings(deadline=None)
@given(st.data(), plans, runs)
def test_looks_change_no_number(data: st.DataObject, plan: list[PlanEntry], calls: list[tuple[str, int, bool]]) -> None:
    parts = acted(calls)
    place = data.draw(st.integers(0, len(parts)))
    before, after = compared(plan, parts), compared(plan, [*parts[:place], read("notes.txt"), *parts[place:]])
    assert (after.fitness, after.precision, after.reached) == (before.fitness, before.precision, before.reached)


@settings(deadline=None)
@given(plans, runs, st.integers(1, 3))
def test_an_attempt_that_fails_before_a_step_of_a_run_costs_no_fitness(
    plan: list[PlanEntry], calls: list[tuple[str, int, bool]], times: int
) -> None:
    first = next((entry for entry in plan if isinstance(entry, PlanStep)), None)
    if first is None or plan[0] is not first:
        return
    parts = [made(first), *acted(calls)]
    broken = replace_result(made(first))
    assert compared(plan, [*[broken] * times, *parts]).fitness == compared(plan, parts).fitness


def replace_result(part: Part) -> Part:
    request = next(event for event in session(part).events if isinstance(event, ToolCall))
    return call(request.name, request.arguments, "Error: broke", is_error=True)


@settings(deadline=None)
@given(plans, runs)
def test_no_alignment_is_cheaper(plan: list[PlanEntry], calls: list[tuple[str, int, bool]]) -> None:
    plan_net = plan_net_of(plan)
    events = [
        Event(
            0 if not ok else 1_000,
            [Candidate(step, 100 * value, None) for step in plan_net.steps if step % 3 == ord(tool) % 3],
        )
        for tool, value, ok in calls[:6]
    ]
    assert align(plan_net, events).cost == cheapest(plan_net, events)


def cheapest(plan_net: PlanNet, events: list[Event]) -> int:
    """The least cost by trying all there is: backwards through actions and places, nothing remembered of the way."""
    costs = [0 if place == plan_net.end else 1 << 60 for place in range(plan_net.end + 1)]

    def skipped(row: list[int]) -> list[int]:
        for start, end, cost, _ in sorted(plan_net.skips, reverse=True):
            row[start] = min(row[start], row[end] + cost)
        return row

    costs = skipped(costs)
    for event in reversed(events):
        row = [cost + event.extra for cost in costs]
        for candidate in event.candidates:
            for start, end in plan_net.steps[candidate.step]:
                if candidate.done is not None:
                    row[start] = min(row[start], costs[end] + candidate.done)
        costs = skipped(row)
    return costs[0]


def test_every_order_of_a_group_leads_through_the_net() -> None:
    plan: list[PlanEntry] = [AnyOrder(any_order=[PlanStep(tool=name) for name in "abc"])]
    plan_net = plan_net_of(plan)
    for order in permutations(range(3)):
        alignment = align(plan_net, [Event(1_000, [Candidate(step, 0, None)]) for step in order])
        assert (alignment.cost, alignment.worst) == (0, 3 * MISSING + 3 * 1_000)
        assert [move.step for move in alignment.moves] == list(order)


def test_equally_good_alignments_take_the_earliest_action() -> None:
    plan_net = plan_net_of([PlanStep(tool="a")])
    one = Event(1_000, [Candidate(0, 0, None)])
    assert [move.kind for move in align(plan_net, [one, one]).moves] == ["done", "extra"]
    assert [move.kind for move in align(plan_net, [replace(one, extra=0), one]).moves] == ["extra", "done"]
