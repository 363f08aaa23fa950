"""One thing once: what only shows another side of a loop is a part of that finding."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import accumulate

from analyzer.model.finding import Aspect, Finding
from analyzer.model.words import Category, Severity

_WITHIN = 0.8
"""Share of the steps of a finding that must lie within loops, unless it tells of a loop's own failure."""
_SAME_FAILURE = 0.5
"""The same of a finding that tells of the failure that comes back in them."""


_SHARED_STEPS, _SAME_STEPS = 3, 0.75
"""Steps that two findings of one category have in common if they tell of the same facts, and their share of the
smaller one's steps."""


def folded(findings: Sequence[Finding], is_aspect: Callable[[Finding], bool]) -> list[Finding]:
    """The findings, those that are aspects of a loop as a part of it: of the costliest, where they belong to several.

    `is_aspect` says of a finding whether it may be one. A loop that is worth a note only has no aspects.
    """
    loops = _Loops(findings)

    def home(_: int, finding: Finding) -> int | None:
        return loops.home(finding) if not _is_loop(finding) and is_aspect(finding) else None

    return _moved(findings, home)


def reported_once(findings: Sequence[Finding], recounts: Callable[[Finding], bool]) -> list[Finding]:
    """The findings, the worst first; one that tells of the same steps as another one of its category and lane, no loop
    among them, is a part of that, and so is one that only `recounts` what another one tells of all its steps."""
    own: list[int] = []
    at: dict[tuple[str, int], list[int]] = defaultdict(list)
    homes: dict[int, int] = {}
    for position, finding in enumerate(findings):
        near = sorted({other for step in finding.steps for other in at.get((finding.lane, step), ())})
        home = next((other for other in near if _same_facts(findings[other], finding)), position)
        homes[position] = home
        if home == position and not recounts(finding):
            own.append(position)
            for step in set(finding.steps):
                at[finding.lane, step].append(position)
    for position, finding in enumerate(findings):
        if recounts(finding):
            near = at.get((finding.lane, finding.steps[0]), []) if finding.steps else own
            homes[position] = next((other for other in near if _tells(findings[other], finding)), homes[position])
    return _moved(findings, lambda position, _: homes[position] if homes[position] != position else None)


def _is_loop(finding: Finding) -> bool:
    return finding.category is Category.LOOP and finding.severity is not Severity.INFO and finding.first_step >= 1


def _tells(other: Finding, finding: Finding) -> bool:
    """Whether a finding that is no loop, and weighs as much at least, is about all steps of another one."""
    weighs = other.severity.rank >= finding.severity.rank and other.severity is not Severity.INFO
    return weighs and other.category is not Category.LOOP and _covers(other, finding)


def _same_facts(first: Finding, second: Finding) -> bool:
    if first.lane != second.lane or first.category is not second.category or first.category is Category.LOOP:
        return False
    if first.detector == second.detector:
        return False
    shared = len(set(first.steps) & set(second.steps))
    return shared >= _SHARED_STEPS and shared >= _SAME_STEPS * min(len(set(first.steps)), len(set(second.steps)))


def _moved(findings: Sequence[Finding], home_of: Callable[[int, Finding], int | None]) -> list[Finding]:
    """The findings without those that have a home among the others, which become aspects of it."""
    parts: dict[int, list[Aspect]] = defaultdict(list)
    left = []
    for position, finding in enumerate(findings):
        home = home_of(position, finding)
        if home is None:
            left.append(position)
        else:
            parts[home].append(
                Aspect(detector=finding.detector, kind=finding.kind, title=finding.title, steps=finding.steps)
            )
            parts[home].extend(finding.aspects)
    return [
        findings[position].model_copy(update={"aspects": [*findings[position].aspects, *parts[position]]})
        if position in parts
        else findings[position]
        for position in left
    ]


def _covers(rejections: Finding, finding: Finding) -> bool:
    return rejections.lane == finding.lane and set(finding.steps) <= set(rejections.steps)


class _Loops:
    """The loops among some findings, each lane's by their first step."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._findings = findings
        self._loops: dict[str, list[int]] = defaultdict(list)
        for position, finding in enumerate(findings):
            if _is_loop(finding):
                self._loops[finding.lane].append(position)
        self._firsts: dict[str, list[int]] = {}
        self._ends: dict[str, list[int]] = {}
        for lane, loops in self._loops.items():
            loops.sort(key=lambda position: (findings[position].first_step, position))
            self._firsts[lane] = [findings[position].first_step for position in loops]
            self._ends[lane] = list(accumulate((findings[position].last_step for position in loops), max))

    def home(self, finding: Finding) -> int | None:
        """The loop that a finding is an aspect of."""
        findings = self._findings
        around = self._around(finding)
        same = [at for at in around if finding.group is not None and findings[at].group == finding.group]
        for chosen, share in ((same, _SAME_FAILURE), (around, _WITHIN)):
            shared = {position: _inside(finding, findings[position]) for position in chosen}
            covered = {step for steps in shared.values() for step in steps}
            if covered and len(covered) >= share * len(set(finding.steps)):
                holding = [position for position, steps in shared.items() if steps]
                return max(holding, key=lambda position: (findings[position].cost.actions, -position))
        return None

    def _around(self, finding: Finding) -> list[int]:
        """The loops of the lane in which a step of a finding may lie."""
        loops = self._loops.get(finding.lane)
        if not loops or not finding.steps:
            return []
        first, ends = min(finding.steps), self._ends[finding.lane]
        end = bisect_right(self._firsts[finding.lane], max(finding.steps))
        begin = bisect_left(ends, first, hi=end)  # all before it have ended by then
        return loops[begin:end]


def _inside(finding: Finding, loop: Finding) -> set[int]:
    return {step for step in finding.steps if loop.first_step <= step <= loop.last_step}
