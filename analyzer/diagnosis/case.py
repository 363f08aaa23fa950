"""One session with its findings: what every part of the diagnosis looks at."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared, has
from analyzer.diagnosis.alarms import Alarms
from analyzer.diagnosis.avoidable import avoidable
from analyzer.diagnosis.provenance import Provenances
from analyzer.diagnosis.ranking import cause_of, main_of
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.diagnosis import Provenance
from analyzer.model.failure import Failure, FailureGroup
from analyzer.model.finding import Evidence, Finding
from analyzer.model.words import Category, Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed
from analyzer.text.markdown import code
from analyzer.timeline import Timeline
from analyzer.timeline.shared_facts import SharedFacts


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

    @cached_property
    def alarms(self) -> Alarms:
        """What the guard would have said of the findings at their alarms."""
        return Alarms(self.timeline)

    @cached_property
    def loop(self) -> Finding | None:
        """The loop that matters most: the worst, then the longest."""
        loops = [
            finding
            for finding in self.findings
            if finding.category is Category.LOOP and finding.severity is not Severity.INFO
        ]
        return max(loops, key=lambda finding: (finding.severity.rank, finding.cost.actions), default=None)

    @cached_property
    def wrong_file(self) -> Finding | None:
        """The finding that says which file should have been edited, that of the loop's failure first."""
        found = [
            finding for finding in self.findings if finding.fault is not None and has(finding, Trait.TEST_AT_FAULT)
        ]
        same = [finding for finding in found if self.loop is not None and finding.group == self.loop.group]
        return next(iter(same or found), None)

    @cached_property
    def main(self) -> Finding | None:
        """The finding that the post-mortem is about."""
        return main_of(self.findings)

    @cached_property
    def cause(self) -> Finding | None:
        """The finding that explains the main one; the main one itself where none does."""
        return cause_of(self.main, self.findings)

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
        return [
            action.step for action in self.stretch if action.kind in (Kind.READ, Kind.SEARCH) and _touches(action, path)
        ]


def _touches(action: Action, path: str) -> bool:
    operation = action.operation
    if operation.path and same_file(operation.path, path):
        return True
    name = path.rsplit("/", 1)[-1]
    return operation.command is not None and name in operation.command


def asks(case: Case) -> bool:
    """Whether the main finding's call is a question that was answered: it reads or searches, and something came
    back."""
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


def bare_title(finding: Finding) -> str:
    """A finding's title without its end and the steps in brackets before that."""
    title = finding.title.rstrip(".")
    return title.rpartition(" (steps ")[0] or title


def call_text(action: Action, limit: int = 100) -> str:
    """A call as a person would name it: the command as written, else the tool and what it was called on."""
    operation = action.operation
    if operation.command is not None or not operation.target or operation.target == action.tool:
        return clip(operation.target or action.tool, limit)
    first, last = operation.lines or (None, None)
    if operation.target != operation.path:
        return clip(f"{action.tool} {operation.target}", limit)
    lines = "" if first is None else f":{first}" if last in (None, first) else f":{first}-{last}"
    room = max(20, limit - len(lines) - len(action.tool) - 1)
    path = operation.path if len(operation.path) <= room else f"…{operation.path[-(room - 1) :]}"
    return f"{action.tool} {path}{lines}"


def steps_text(steps: Sequence[int], limit: int = 8) -> str:
    """Step numbers for people: `3`, `3 and 5`, `16, 18, 20, 22, 24 and 26`, with the middle left out of long lists."""
    shown = [str(step) for step in steps]
    if len(shown) > limit:
        shown = [*shown[: limit - 2], "...", shown[-1]]
        return ", ".join(shown)
    return listed(shown)


def quoted(entry: Evidence, limit: int) -> str:
    """What shows something, with the program's words before it where there are some."""
    return f"{entry.label} {code(entry.quote, limit)}".lstrip()
