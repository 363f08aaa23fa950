"""One thing once: what only shows another side of a loop is a part of that finding.

What a loop weighs by what it cost: the rounds alone don't tell that three of them took an hour, or a million tokens.

Cause and symptom: a failure that comes back, and the finding that says why it does, at the same steps.

Several loops with one cause are one story: the same failure, or the same call without one, repeats in several
stretches of a lane.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import accumulate

from analyzer.model.finding import Aspect, Finding, Stretch
from analyzer.model.words import Category, LoopKind, Severity

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
    return (
        weighs
        and other.category is not Category.LOOP
        and other.lane == finding.lane
        and set(finding.steps) <= set(other.steps)
    )


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
            places = ((position, findings[position]) for position in chosen)
            shared = {
                position: {step for step in finding.steps if loop.first_step <= step <= loop.last_step}
                for position, loop in places
            }
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


_SECONDS = {Severity.MEDIUM: 900.0, Severity.HIGH: 3_600.0}
_TOKENS = {Severity.MEDIUM: 2_000_000, Severity.HIGH: 10_000_000}
"""From how much on a loop weighs at least so much."""


def weighed(finding: Finding) -> Finding:
    """The finding; a loop that cost much time or many tokens weighs at least accordingly."""
    if finding.category is not Category.LOOP or finding.severity is Severity.INFO:
        return finding
    cost = finding.cost
    least = max(
        (
            severity
            for severity in (Severity.MEDIUM, Severity.HIGH)
            if (cost.seconds or 0.0) >= _SECONDS[severity] or (cost.tokens or 0) >= _TOKENS[severity]
        ),
        key=lambda severity: severity.rank,
        default=finding.severity,
    )
    return finding.model_copy(update={"severity": least}) if least.rank > finding.severity.rank else finding


_COVERED = 0.8
"""The share of a loop's steps that a finding must be about to explain it."""


def joined(findings: Sequence[Finding], rank_of: Callable[[Finding], int]) -> list[Finding]:
    """The findings; a loop whose failure another one explains at its steps names that one and has its advice.

    `rank_of` says how directly a finding explains why other steps went wrong, 0 where it doesn't. What explains a loop
    weighs as much as the loop at least.
    """
    explaining = [finding for finding in findings if rank_of(finding) > 0 and finding.severity is not Severity.INFO]
    causes = {place: cause for place, finding in enumerate(findings) if (cause := _cause(finding, explaining, rank_of))}
    if not causes:
        return list(findings)
    return [
        _explained(finding, causes[place])
        if place in causes
        else _weighed(finding, [findings[other].severity for other, cause in causes.items() if cause is finding])
        for place, finding in enumerate(findings)
    ]


def _weighed(cause: Finding, loops: Sequence[Severity]) -> Finding:
    """A finding with the weight of the worst of the loops that it explains, if that is more."""
    severity = max([cause.severity, *loops], key=lambda level: level.rank)
    return cause if severity is cause.severity else cause.model_copy(update={"severity": severity})


def _cause(loop: Finding, explaining: Sequence[Finding], rank_of: Callable[[Finding], int]) -> Finding | None:
    if loop.category is not Category.LOOP or loop.severity is Severity.INFO or loop.group is None or not loop.steps:
        return None
    found = [finding for finding in explaining if _is_about(finding, loop)]
    return max(found, key=lambda finding: (rank_of(finding), finding.confidence, -finding.first_step), default=None)


def _is_about(finding: Finding, loop: Finding) -> bool:
    if finding.category is Category.LOOP or finding.lane != loop.lane:
        return False
    steps = set(loop.steps)
    return len(steps & set(finding.steps)) >= _COVERED * len(steps)


def _explained(loop: Finding, cause: Finding) -> Finding:
    named = Aspect(detector=cause.detector, kind=cause.kind, title=cause.title, steps=cause.steps)
    return loop.model_copy(update={"explained_by": named, **({"advice": cause.advice} if cause.advice else {})})


def same_cause(finding: Finding, findings: Sequence[Finding]) -> list[Finding]:
    """The other loops of a loop's story, in step order; none for what is no loop, or is worth a note only."""
    cause = _shared_cause(finding)
    if cause is None:
        return []
    others = [other for other in findings if other is not finding and _shared_cause(other) == cause]
    return sorted(others, key=lambda other: other.first_step)


def with_stretches(findings: Sequence[Finding]) -> list[Finding]:
    """The findings; each loop names the other stretches of its story. The costliest one of a failure's story tells it:
    the others are aspects of it, and weigh little themselves."""
    by_cause: dict[object, list[Finding]] = {}
    causes = [_shared_cause(finding) for finding in findings]
    for finding, cause in zip(findings, causes, strict=True):
        by_cause.setdefault(cause, []).append(finding)
    told = []
    for finding, cause in zip(findings, causes, strict=True):
        others = same_cause(finding, by_cause[cause]) if cause is not None else []
        stretches = [
            Stretch(first_step=other.first_step, last_step=other.last_step, rounds=other.rounds) for other in others
        ]
        told.append(
            finding.model_copy(update={"stretches": stretches, **_part(finding, others)}) if others else finding
        )
    return told


def _part(finding: Finding, others: Sequence[Finding]) -> dict[str, object]:
    """What telling a failure's story once changes in one of its loops."""
    if finding.group is None:
        return {}
    teller = max([finding, *others], key=lambda one: (one.severity.rank, one.cost.actions, -one.first_step))
    if teller is not finding:
        return {"severity": min(finding.severity, Severity.LOW, key=lambda severity: severity.rank)}
    parts = [Aspect(detector=other.detector, kind=other.kind, title=other.title, steps=other.steps) for other in others]
    return {"aspects": [*finding.aspects, *parts]}


def _shared_cause(finding: Finding) -> tuple[str, ...] | None:
    if finding.category is not Category.LOOP or finding.severity is Severity.INFO or finding.first_step < 1:
        return None
    if finding.group is not None:
        return finding.lane, "failure", finding.group
    if finding.kind == LoopKind.REPEATED_CALL and finding.repeated:
        return finding.lane, "call", finding.pattern or "", finding.repeated
    return None
