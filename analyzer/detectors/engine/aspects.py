"""One thing once: what only shows another side of a loop is a part of that finding.

What a loop weighs by what it cost: the rounds alone don't tell that three of them took an hour, or a million tokens.

Cause and symptom: a failure that comes back, and the finding that says why it does, at the same steps.

Several loops with one cause are one story: the same failure, or the same call without one, repeats in several
stretches of a lane.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
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
    homes = ((at, loops.home(one)) for at, one in enumerate(findings) if not _is_placed(one) and is_aspect(one))
    return _moved(findings, {at: home for at, home in homes if home is not None})


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
    return _moved(findings, {position: home for position, home in homes.items() if home != position})


def _is_loop(finding: Finding) -> bool:
    """Whether a finding is a loop that is worth more than a note."""
    return finding.category is Category.LOOP and finding.severity is not Severity.INFO


def _is_placed(finding: Finding) -> bool:
    """Whether it's such a loop of some steps."""
    return _is_loop(finding) and finding.first_step >= 1


def _tells(other: Finding, finding: Finding) -> bool:
    """Whether a finding that is no loop, and weighs as much at least, is about all steps of another one."""
    weighs = other.severity.rank >= finding.severity.rank and other.severity is not Severity.INFO
    same_lane = other.lane == finding.lane and other.category is not Category.LOOP
    return weighs and same_lane and set(finding.steps) <= set(other.steps)


def _same_facts(first: Finding, second: Finding) -> bool:
    if first.lane != second.lane or first.category is not second.category or first.category is Category.LOOP:
        return False
    shared = len(set(first.steps) & set(second.steps))
    least = max(_SHARED_STEPS, _SAME_STEPS * min(len(set(first.steps)), len(set(second.steps))))
    return first.detector != second.detector and shared >= least


def _moved(findings: Sequence[Finding], homes: Mapping[int, int]) -> list[Finding]:
    """The findings without those that have a home among the others, which become aspects of it."""
    parts: dict[int, list[Aspect]] = defaultdict(list)
    for position, home in homes.items():
        parts[home] += [_aspect(findings[position]), *findings[position].aspects]
    return [
        finding.model_copy(update={"aspects": [*finding.aspects, *parts[position]]}) if position in parts else finding
        for position, finding in enumerate(findings)
        if position not in homes
    ]


def _aspect(finding: Finding) -> Aspect:
    return Aspect(detector=finding.detector, kind=finding.kind, title=finding.title, steps=finding.steps)


class _Loops:
    """The loops among some findings, each lane's by their first step."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._findings = findings
        self._loops: dict[str, list[int]] = defaultdict(list)
        for position, finding in enumerate(findings):
            if _is_placed(finding):
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
            spans = {
                position: range(findings[position].first_step, findings[position].last_step + 1) for position in chosen
            }
            shared = {position: {step for step in finding.steps if step in span} for position, span in spans.items()}
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


_COSTLY = {Severity.MEDIUM: (900.0, 2_000_000), Severity.HIGH: (3_600.0, 10_000_000)}
"""From how many seconds or tokens on a loop weighs at least so much."""


def weighed(finding: Finding) -> Finding:
    """The finding; a loop that cost much time or many tokens weighs at least accordingly."""
    seconds, tokens = finding.cost.seconds or 0.0, finding.cost.tokens or 0
    costly = [level for level, (time, sent) in _COSTLY.items() if seconds >= time or tokens >= sent]
    return _with_weight(finding, costly) if _is_loop(finding) else finding


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
        finding.model_copy(
            update={"explained_by": _aspect(causes[place]), "advice": causes[place].advice or finding.advice}
        )
        if place in causes
        else _with_weight(finding, [findings[other].severity for other, cause in causes.items() if cause is finding])
        for place, finding in enumerate(findings)
    ]


def _with_weight(finding: Finding, others: Sequence[Severity]) -> Finding:
    """A finding with the worst of some other weights, if that is more than its own."""
    severity = max([finding.severity, *others], key=lambda level: level.rank)
    return finding if severity is finding.severity else finding.model_copy(update={"severity": severity})


def _cause(loop: Finding, explaining: Sequence[Finding], rank_of: Callable[[Finding], int]) -> Finding | None:
    if not _is_loop(loop) or loop.group is None or not loop.steps:
        return None
    steps = set(loop.steps)
    near = (one for one in explaining if one.category is not Category.LOOP and one.lane == loop.lane)
    found = [finding for finding in near if len(steps & set(finding.steps)) >= _COVERED * len(steps)]
    return max(found, key=lambda finding: (rank_of(finding), finding.confidence, -finding.first_step), default=None)


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
    by_cause: dict[object, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_cause[_shared_cause(finding)].append(finding)
    return [_part(finding, same_cause(finding, by_cause[_shared_cause(finding)])) for finding in findings]


def _part(finding: Finding, others: Sequence[Finding]) -> Finding:
    """One of the loops of a story, with what telling that once changes in it."""
    if not others:
        return finding
    changed: dict[str, object] = {
        "stretches": [Stretch(first_step=one.first_step, last_step=one.last_step, rounds=one.rounds) for one in others]
    }
    teller = max([finding, *others], key=lambda one: (one.severity.rank, one.cost.actions, -one.first_step))
    if finding.group is not None and teller is not finding:
        changed["severity"] = min(finding.severity, Severity.LOW, key=lambda severity: severity.rank)
    elif finding.group is not None:
        changed["aspects"] = [*finding.aspects, *map(_aspect, others)]
    return finding.model_copy(update=changed)


def _shared_cause(finding: Finding) -> tuple[str, ...] | None:
    if not _is_placed(finding):
        return None
    if finding.group is not None:
        return finding.lane, "failure", finding.group
    if finding.kind == LoopKind.REPEATED_CALL and finding.repeated:
        return finding.lane, "call", finding.pattern or "", finding.repeated
    return None
