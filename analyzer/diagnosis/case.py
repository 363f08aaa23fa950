"""One session with its findings: what every part of the diagnosis looks at.

The page is about the finding that hurt most. Its cause may be another finding that explains it: a failure that comes
from the test explains the loop of edits elsewhere, a missing package the failures that follow from it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared, has
from analyzer.diagnosis.alarms import Alarms, after_alarm, avoidable, loops_in
from analyzer.diagnosis.provenance import Provenances
from analyzer.failures.roles import same_file
from analyzer.model.action import Action, Operation
from analyzer.model.diagnosis import Provenance
from analyzer.model.failure import Failure, FailureGroup
from analyzer.model.finding import Finding
from analyzer.model.words import Category, Kind, Severity
from analyzer.timeline import Timeline
from analyzer.timeline.verification.proofs import SharedFacts


class Case(SharedFacts):
    """A timeline, its findings (the worst first), and the questions that the diagnosis asks of them."""

    def __init__(self, timeline: Timeline, findings: Sequence[Finding]) -> None:
        super().__init__(timeline)
        self.findings = findings
        self._avoidable: dict[str, list[int]] = {}

    def avoidable(self, lane: str, first: int, last: int) -> tuple[int, ...]:
        """The steps of a lane from `first` to `last` that could have been saved."""
        if lane not in self._avoidable:
            own = [finding for finding in self.findings if finding.lane == lane]
            self._avoidable[lane] = avoidable(self.timeline.lane(lane), own, self.timeline.history)
        steps = self._avoidable[lane]
        return tuple(steps[bisect_left(steps, first) : bisect_right(steps, last)])

    def saved(self, lane: str, alarm: int, last: int) -> tuple[int, ...]:
        """Those of them up to `last` that an alarm at a step comes in time for."""
        return self.avoidable(lane, after_alarm(self.timeline.lane(lane), alarm), last)

    @cached_property
    def alarms(self) -> Alarms:
        """What the guard would have said of the findings at their alarms."""
        return Alarms(self.timeline)

    @cached_property
    def loop(self) -> Finding | None:
        """The loop that matters most: the worst, then the longest."""
        return max(
            loops_in(self.findings), key=lambda finding: (finding.severity.rank, finding.cost.actions), default=None
        )

    @cached_property
    def wrong_file(self) -> Finding | None:
        """The finding that says which file should have been edited, that of the loop's failure first."""
        found = [one for one in self.findings if one.fault is not None and has(one, Trait.TEST_AT_FAULT)]
        same = [finding for finding in found if self.loop is not None and finding.group == self.loop.group]
        return next(iter(same or found), None)

    @cached_property
    def main(self) -> Finding | None:
        """The finding that hurt most: by severity, then a loop that the agent never left; of two that weigh equally, a
        loop, then what took more steps. What weighs little makes no page, unless it's a loop: None then."""
        serious = (one for one in self.findings if one.severity.rank >= Severity.MEDIUM.rank)
        return max((*serious, *loops_in(self.findings)), key=_weight, default=None)

    @cached_property
    def cause(self) -> Finding | None:
        """The finding that explains the main one best; the main one itself where none does."""
        main = self.main
        if main is None:
            return None
        others = [finding for finding in self.findings if finding is not main]
        if has(main, Trait.ENDS_WITHOUT_RESULT):
            return max((finding for finding in others if _gave_up_over(main, finding)), key=_weight, default=main)
        return max(
            (finding for finding in others if finding.severity is not Severity.INFO and _explains(finding, main)),
            key=lambda finding: (declared(finding).cause_rank, finding.confidence, finding.cost.actions),
            default=main,
        )

    @cached_property
    def explained(self) -> Finding | None:
        """What explains the main finding at its own steps, so that both are one trouble; None where nothing does."""
        main = self.main
        return next((finding for finding in self.findings if main is not None and finding.explains(main)), None)

    @cached_property
    def misread(self) -> Finding | None:
        """The cause, where it says that the failing call was never meant as it was taken, so that what its failure
        suggests doesn't apply."""
        declares = declared(self.cause).guidance_for(self.cause.kind) if self.cause is not None else None
        return self.cause if declares is not None and declares.call_misread else None

    @cached_property
    def group(self) -> FailureGroup | None:
        """The failure group of the main finding."""
        return self.timeline.group(self.main.group) if self.main else None

    @cached_property
    def failure(self) -> Failure | None:
        """The main finding's failure as it first showed."""
        if self.main is None or self.group is None or not self.main.steps or self.main.steps[0] < 1:
            return None
        return self.action(self.main.steps[0]).failure

    @cached_property
    def provenances(self) -> Provenances:
        """Where the causes of the failures came in."""
        return Provenances(self.timeline)

    @cached_property
    def provenance(self) -> Provenance | None:
        """Where the cause of the main finding's failure came in, None where nothing shows it."""
        return self.provenances.of(self.group)

    @cached_property
    def lane(self) -> Sequence[Action]:
        """The actions of the main finding's lane; step N is at index N - 1."""
        return self.timeline.lane(self.main.lane) if self.main else self.timeline.lane()

    def action(self, step: int) -> Action:
        """One action of the main finding's lane."""
        return self.lane[step - 1]

    @cached_property
    def stretch(self) -> Sequence[Action]:
        """The actions of the main finding, from its first to its last step."""
        return self.lane[self.main.first_step - 1 : self.main.last_step] if self.main else []

    @cached_property
    def edits(self) -> list[Action]:
        """The edits within the main finding."""
        return [action for action in self.stretch if action.kind is Kind.EDIT]

    @cached_property
    def edited_paths(self) -> list[str]:
        """The files edited within the main finding, in order."""
        return list(dict.fromkeys(edit.path for action in self.edits for edit in action.operation.edits if edit.path))

    @cached_property
    def changed_paths(self) -> list[str]:
        """The files that accepted edits within the main finding changed, in order."""
        return list(dict.fromkeys(edit.path for action in self.stretch for edit in action.accepted_edits if edit.path))

    def read_within(self, path: str) -> list[int]:
        """The steps of the main finding that read `path`."""
        name = path.rsplit("/", 1)[-1]

        def touches(read: Operation) -> bool:
            return bool(read.path and same_file(read.path, path)) or (read.command is not None and name in read.command)

        looked = (action for action in self.stretch if action.kind in (Kind.READ, Kind.SEARCH))
        return [action.step for action in looked if touches(action.operation)]


def asks(case: Case) -> bool:
    """Whether the main finding's call reads or searches, and something came back."""
    assert case.main is not None
    action = case.action(case.main.steps[-1])
    return action.kind in (Kind.READ, Kind.SEARCH) and bool((action.result or "").strip())


def met_in(case: Case, main: Finding) -> list[int]:
    """The steps from a finding's first to its last at which the failure came, its own and those in between."""
    steps = case.group.steps if case.group is not None else ()
    inside = [step for step in steps if main.first_step <= step <= main.last_step]
    return max(inside, main.steps, key=len)


def one_call(case: Case) -> bool:
    """Whether the steps of the main finding all made one call, rather than calls of which only a part is alike."""
    assert case.main is not None
    made = [case.action(step).keys for step in case.main.steps]
    return len({keys.call for keys in made}) == 1 and not any(keys.browser_action for keys in made)


_SHARE = 0.5
"""The part of the steps of what is to be explained that the explanation must cover."""
_NEAR = 8
"""How many steps before it gives up an agent is still held to be in a trouble."""


def _weight(finding: Finding) -> tuple[int, bool, bool, int, float, int]:
    loop = finding.category is Category.LOOP
    stuck = loop and finding.escaped is False and finding.severity is Severity.HIGH
    return finding.severity.rank, stuck, loop, finding.cost.actions, finding.confidence, -finding.first_step


def _explains(finding: Finding, main: Finding) -> bool:
    if declared(finding).cause_rank <= declared(main).cause_rank or finding.lane != main.lane:
        return False
    if finding.group is not None and finding.group == main.group:
        return True
    return len(set(finding.steps) & set(main.steps)) >= _SHARE * len(main.steps)


def _gave_up_over(main: Finding, finding: Finding) -> bool:
    """Whether a finding is the trouble that the agent was in when it gave up."""
    serious = finding.severity.rank >= Severity.MEDIUM.rank and finding.lane == main.lane
    trouble = finding.category in (Category.LOOP, Category.ERROR) or declared(finding).cause_rank > 0
    return serious and trouble and main.last_step - _NEAR <= finding.last_step <= main.last_step
