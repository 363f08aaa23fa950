"""How a run compares with the plan of its scenario.

First the best alignment is looked for (see `plan_net`), with costs for arguments and results that aren't as planned
(the idea of multi-perspective alignments: de Leoni, van der Aalst 2013, "Aligning event logs and process models for
multi-perspective conformance checking"); then, since it says which action gave which result, the references are checked
against what the run really returned. Fitness is 1 less the cost of the alignment over that of the worst. Precision is
the share of the execution's actions that the alignment explains; what the literature calls precision asks how much else
a model would allow, of which a list of steps allows next to nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from analyzer.case_study.arguments import Call, Fit, compare, fit, wanted_by
from analyzer.case_study.phases import fails, is_look, name_matches, split
from analyzer.case_study.plan_net import EXTRA, Alignment, Candidate, Event, NamedStep, align, named_steps, plan_net_of
from analyzer.case_study.success import goal_reached, holds
from analyzer.model.action import Action
from analyzer.model.case_study import Conformance, Deviation, PlanRow
from analyzer.model.scenario import Scenario
from analyzer.model.struct import Struct, field
from analyzer.timeline import Timeline

_ARGUMENTS = 500
"""The cost of arguments that are all wrong, in thousandths of a move."""
_RESULT = 300
"""The cost of a wrong result."""
_NONE = 1 << 30
_BEFORE = 500
"""The cost of an action that did a step otherwise than planned, before one that did it better."""


def conform(scenario: Scenario, timeline: Timeline, succeeded: bool | None = None) -> Conformance | None:
    """How a run compares with the plan; None for a scenario without one.

    `succeeded` says whether the run reached the goal; without it, that's what the scenario's checks say as far as the
    timeline shows it.
    """
    if not scenario.plan:
        return None
    planning, execution, repairs = split(timeline, scenario.phases)
    matter = _Matter(scenario, execution, any(action.result is not None for action in timeline.actions))
    alignment = align(plan_net_of(scenario.plan, matter.order), matter.events)
    taken = matter.read(alignment)
    rows, loss = _rows(matter, taken)
    reached_goal = goal_reached(scenario, timeline) if succeeded is None else succeeded
    explained = len(taken.done) + sum(map(len, taken.attempts.values()))
    cost = alignment.cost + loss
    return Conformance(
        rows=rows,
        extra=sorted(matter.actions[number].step for number in taken.extra),
        planning_actions=[action.step for action in planning],
        repairs=repairs,
        reached=_reached(matter, rows),
        fitness=round(min(1.0, max(0.0, 1 - cost / alignment.worst)), 4) if alignment.worst else 1.0,
        precision=round(explained / (explained + len(taken.extra)), 4) if explained or taken.extra else None,
        other_way=bool(reached_goal) and not all(row.conforms for row in rows),
    )


def _as_planned(actions: Sequence[Action], events: Sequence[Event]) -> list[int]:
    """The actions' order, in which those that were sent together come in the order of the steps that they fit best:
    they had none among themselves."""

    def best(number: int) -> tuple[int, int]:
        fits = [(found.done if found.done is not None else _NONE, found.step) for found in events[number].candidates]
        return (min(fits)[1], number) if fits else (_NONE, number)

    groups: list[int] = []
    for number, action in enumerate(actions):
        together = number and action.batch is not None and action.batch == actions[number - 1].batch
        groups.append(groups[-1] if together else number)
    return sorted(range(len(actions)), key=lambda number: (groups[number], *best(number)))


class _Taken(Struct):
    """Which action was taken for which step (both numbered from 0), out of order or not, and what's left."""

    done: dict[int, int] = field(default_factory=dict)
    attempts: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    skipped: list[int] = field(default_factory=list)
    reordered: set[int] = field(default_factory=set)
    extra: list[int] = field(default_factory=list)


class _Matter:
    """The steps and the actions of the execution, with what is compared of them."""

    def __init__(self, scenario: Scenario, execution: Sequence[Action], recorded: bool) -> None:
        self.steps: list[NamedStep] = named_steps(scenario.plan)
        self.wanted = [wanted_by(step.step) for step in self.steps]
        self.actions = list(execution)
        self.calls = [Call(action) for action in self.actions]
        self.failed = [fails(action, recorded) for action in self.actions]
        self.looks = [is_look(action) for action in self.actions]
        self._by_tool: dict[str, list[int]] = {}
        self.events: list[Event] = []
        """The actions as the alignment takes them."""
        for number, action in enumerate(self.actions):
            found = (self._candidate(step, number) for step in self._steps_of(action.tool))
            candidates = [entry for entry in found if entry is not None]
            self.events.append(Event(0 if self.looks[number] else EXTRA, candidates))
        order = _as_planned(self.actions, self.events)
        columns: tuple[list[Any], ...] = (self.actions, self.calls, self.failed, self.looks, self.events)
        for column in columns:
            column[:] = [column[number] for number in order]

    def order(self, steps: list[int]) -> list[int]:
        """The steps of a large group in the order in which their best actions come, each action used once; steps
        without any last."""
        places: dict[int, int] = {}
        used: set[int] = set()
        fits = sorted(
            (found.done, number, found.step)
            for number, event in enumerate(self.events)
            for found in event.candidates
            if found.done is not None and found.step in set(steps)
        )
        for _, number, step in fits:
            if step not in places and number not in used:
                places[step] = number
                used.add(number)
        return sorted(steps, key=lambda step: (places.get(step, len(self.actions)), step))

    def read(self, alignment: Alignment) -> _Taken:
        """The alignment by step; a step that's missing and an action that fits it and that nothing else explains are a
        step out of its order."""
        taken, free = _Taken(), []
        for move in alignment.moves:
            if move.kind == "skip" and move.step is not None:
                taken.skipped.append(move.step)
            elif move.event is not None and move.step is not None:
                if move.kind == "done":
                    taken.done[move.step] = move.event
                else:
                    taken.attempts[move.step].append(move.event)
            elif move.event is not None:
                free.append(move.event)
        for step in taken.skipped:
            fits = [
                (found.done, number)
                for number in free
                for found in self.events[number].candidates
                if found.step == step and found.done is not None and found.done < _ARGUMENTS
            ]
            if fits:
                number = min(fits)[1]
                free.remove(number)
                taken.done[step] = number
                taken.reordered.add(step)
        taken.extra = [number for number in free if not self.looks[number]]
        return taken

    def _steps_of(self, tool: str) -> list[int]:
        if tool not in self._by_tool:
            self._by_tool[tool] = [
                number for number, step in enumerate(self.steps) if any(name_matches(name, tool) for name in step.tools)
            ]
        return self._by_tool[tool]

    def _candidate(self, number: int, event: int) -> Candidate | None:
        step, action = self.steps[number].step, self.actions[event]
        found = fit(self.wanted[number], self.calls[event])
        if not found.related and not self._meant_for(event, found):
            return None
        preference = round(100 * found.wrong)
        if self.failed[event]:
            return Candidate(number, None, 0, preference)
        wrong_result = step.result is not None and not holds(step.result, action.result or "")
        cost = round(_ARGUMENTS * found.wrong) + _RESULT * wrong_result
        return Candidate(number, cost, _BEFORE if cost and found.related else None, preference)

    def _meant_for(self, event: int, found: Fit) -> bool:
        """Whether a call in which no argument agrees was still meant for the step. A command is known by what it runs,
        a look by what it looks at, and a call that failed by a value that is nearly right, unless the plan uses its
        tool just once; any other call of the tool did the step, with wrong arguments."""
        action = self.actions[event]
        if action.operation.command is not None:
            return False
        if self.failed[event]:
            return found.close or len(self._steps_of(action.tool)) == 1
        return found.close or not self.looks[event]


def _rows(matter: _Matter, taken: _Taken) -> tuple[list[PlanRow], int]:
    """A row for each step that the alignment passes, and what the references add to its cost."""
    passed = [number for number in range(len(matter.steps)) if number in taken.done or number in taken.skipped]
    did = {matter.steps[number].name: taken.done.get(number) for number in passed}
    results = {name: matter.actions[event].result if event is not None else None for name, event in did.items()}
    sources = {name: matter.actions[event].step if event is not None else None for name, event in did.items()}
    rows, loss = [], 0
    for number in passed:
        named, event, tries = matter.steps[number], taken.done.get(number), taken.attempts.get(number, [])
        row = PlanRow(
            step=named.name,
            tool=named.tool,
            done=event is not None,
            conforms=named.step.optional,
            action=None,
            attempts=len(tries) + (event is not None),
            deviations=[] if named.step.optional else ["missing"],
        )
        shown = event if event is not None else tries[-1] if tries else None
        if shown is not None:
            action, call = matter.actions[shown], matter.calls[shown]
            differences, references, wrong = compare(matter.wanted[number], call, results, sources)
            wrong_result = named.step.result is not None and not holds(named.step.result, action.result or "")
            found: dict[Deviation, bool] = {
                "reordered": number in taken.reordered,
                "wrong-arguments": wrong > 0,
                "failed": event is None,
                "wrong-result": event is not None and wrong_result,
            }
            deviations = [deviation for deviation, is_so in found.items() if is_so]
            facts = {"action": action.step, "conforms": not deviations, "deviations": deviations}
            row = row.model_copy(update={**facts, "arguments": differences, "references": references})
            if event is not None and not found["reordered"]:
                loss += round(_ARGUMENTS * wrong) - round(_ARGUMENTS * fit(matter.wanted[number], call).wrong)
        rows.append(row)
    return rows, loss


def _reached(matter: _Matter, rows: Sequence[PlanRow]) -> int:
    """How many steps were done up to the first gap. Within a group whose order doesn't matter, there's a gap behind it
    where one of its steps is missing."""
    named = {step.name: step for step in matter.steps}
    count, gap, group = 0, False, None
    for row in rows:
        step = named[row.step]
        place = step.place[:3] if len(step.place) == 4 and step.place[2] == "any_order" else None
        if gap and (place is None or place != group):
            break
        group = place
        count += row.done
        if not row.done and not step.step.optional:
            gap = True
    return count
