"""One failure causes others: what it should have created is missing in later steps.

What it flags
    A step that fails (a file that couldn't be written, a package that didn't install, a repository that wasn't cloned,
    a server that didn't start, a table that wasn't created, a cell that stopped before its names were defined) and two
    or more later failures that say that exactly this thing is missing. Calls that the harness cancelled because a call
    of the same message failed form one group.

Why it matters
    The later errors are only consequences. Fixing them one by one fixes nothing; the first one is the one to look at.

What it does not flag
    Further attempts to create what is missing, failures after it was finally created, and failures
    that only resemble each other. The later error must name what is missing.

Options
    dependants: how many later failures must follow from the first (2).

Example:
    `pip install oarlock` fails at step 3; steps 4, 7 and 9 end with `No module named 'oarlock'`.

"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import Field

from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import LiveDetector, Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of, spread
from analyzer.detectors.signals.artifacts import (
    Artifact,
    created_artifacts,
    key_of,
    missing_artifacts,
    named,
    shown_artifacts,
)
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import NOT_CARRIED_OUT, Category, Mark, Severity
from analyzer.text.clip import clip
from analyzer.text.english import plural
from analyzer.text.markdown import code

_MOST = 400
_MOST_STEPS = 50


class CascadeOptions(Options):
    """Options of this detector."""

    dependants: int = Field(default=2, ge=2)
    """How many later failures must follow from the first."""


_GUIDANCE = {
    "": Guidance(
        questions=("What did step {first} say, and did anything answer it before the steps that needed its result?",),
        approaches=(
            ("Fix the first one", "Go back to step {first} ({quote}) and don't continue until it has worked."),
            (
                "Check prerequisites first",
                "Before a step that needs a file, a package or a port, check that it exists.",
            ),
            ("Do without it", "If it isn't available here, change the plan for everything that depends on it at once."),
        ),
        improvement="Stop on the first failure that others depend on",
        change=(
            "Have the harness remember a failed installation, write or server start, and remind the agent of it when "
            "a later "
            "step fails for lack of it."
        ),
        lesson="Read the first failure; the others only follow from it.",
    )
}


class Cascade(LiveDetector):
    """One finding per first failure."""

    name = "cascade"
    category = Category.ERROR
    options = CascadeOptions.usual()
    cause_rank = 6
    guidance = _GUIDANCE

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context, self.options)


DETECTOR = Cascade()


@dataclass(slots=True)
class _Root:
    """A failure, and what it has cost since."""

    action: Action
    last: Action
    artifact: Artifact | None = None
    steps: list[int] = field(default_factory=list)
    quotes: dict[int, str] = field(default_factory=dict)
    count: int = 0
    raised: int | None = None


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: CascadeOptions) -> None:
        super().__init__(lane_context)
        self._needed = options.dependants
        self._missing: dict[Artifact, tuple[_Root, Artifact]] = {}
        self._kept: list[_Root] = []
        self._batch: tuple[str, _Root] | None = None
        self._waiting: tuple[str, list[Action]] | None = None

    def on_action(self, action: Action) -> Iterable[Finding]:
        root = self._cancelled(action) if action.mark is Mark.CASCADE else None
        if action.mark is Mark.REJECTED:
            self._note(action, created_artifacts(action))
        elif action.mark is None or action.mark is Mark.TIMEOUT:
            made = list(dict.fromkeys(created_artifacts(action)))[:_MOST_STEPS]
            root = self._follows(action, made) if action.failed else None
            if action.failed and root is None:
                self._note(action, made)
            elif not action.failed:
                for artifact in (*made, *shown_artifacts(action)):
                    self._missing.pop(key_of(artifact), None)
        if action.failed and action.batch is not None and (self._batch is None or self._batch[0] != action.batch):
            self._batch = action.batch, _Root(action, action)
            root = self._late(action) or root
        if root is not None and root.count >= self._needed and root.raised is None:
            root.raised = action.step
            if not self.lane_context.live:
                self._kept.append(root)
            yield self._finding(root)

    def findings(self) -> Iterable[Finding]:
        return [self._finding(root) for root in self._kept]

    def _note(self, action: Action, made: Iterable[Artifact]) -> None:
        """Take a failure as the possible cause of later ones."""
        if action.failure is None or action.failure.expected or action.failure.kind in NOT_CARRIED_OUT:
            return
        root = _Root(action, action)
        for artifact in made:
            self._missing.setdefault(key_of(artifact), (root, artifact))
        while len(self._missing) > _MOST:
            del self._missing[next(iter(self._missing))]

    def _follows(self, action: Action, attempted: list[Artifact]) -> _Root | None:
        """The failure that this one follows from, counted there; None for another try to make the missing thing."""
        again = {key_of(artifact) for artifact in attempted}
        for artifact, quote in missing_artifacts(action):
            root, made = self._missing.get(key_of(artifact), (None, artifact))
            if (
                root is None
                or key_of(artifact) in again
                or (artifact[0] == "file" and not same_file(artifact[1], made[1]))
            ):
                continue
            if root.action.keys.call_masked != action.keys.call_masked:
                root.artifact = root.artifact or (made if artifact[1].startswith("*") else artifact)
                _add(root, action, quote)
                return root
        return None

    def _cancelled(self, action: Action) -> _Root | None:
        """The failure for which a call was cancelled: the failing call of the same message, which may come later in
        it."""
        if action.batch is None:
            return None
        if self._batch is not None and self._batch[0] == action.batch:
            _add(self._batch[1], action, clip(action.result or "cancelled", 200))
            return self._batch[1]
        if self._waiting is None or self._waiting[0] != action.batch:
            self._waiting = action.batch, []
        if len(self._waiting[1]) < _MOST_STEPS:
            self._waiting[1].append(action)
        return None

    def _late(self, action: Action) -> _Root | None:
        """Calls that were cancelled before the failing call of their message was seen."""
        if self._batch is None or self._waiting is None or self._waiting[0] != action.batch:
            return None
        for other in self._waiting[1]:
            _add(self._batch[1], other, clip(other.result or "cancelled", 200))
        return self._batch[1]

    def _finding(self, root: _Root) -> Finding:
        failure = root.action.failure
        assert failure is not None
        assert root.raised is not None
        headline = clip(failure.headline, 140)
        if root.artifact is None:
            kind, severity = "cancelled-calls", Severity.LOW
            title = (
                f"{plural(root.count, 'call was', 'calls were')} cancelled because step {root.action.step} of the "
                "same message failed: "
                f"{headline}"
            )
            advice = (
                f"Fix the call at step {root.action.step} ({code(root.action.operation.target, 80)}) and send the "
                f"{root.count} cancelled ones again: none of them ran."
            )
        else:
            kind, severity = "cascade", Severity.HIGH if root.count >= 2 * self._needed + 1 else Severity.MEDIUM
            title = (
                f"Step {root.action.step} failed ({headline}), and "
                f"{plural(root.count, 'later failure lacks', 'later failures lack')} "
                f"{named(root.artifact)}"
            )
            advice = (
                f"Fix step {root.action.step} first ({code(headline, 100)}): {named(root.artifact)} must exist before "
                "anything that needs it is run."
            )
        steps = sorted({root.action.step, *root.steps})
        return Cascade.finding(
            kind=kind,
            severity=severity,
            confidence=0.85 if root.artifact is not None else 0.95,
            title=title,
            lane=self.lane_context.lane,
            first_step=steps[0],
            last_step=max(root.last.step, steps[-1]),
            steps=steps,
            detectable_at=root.raised,
            rounds=root.count,
            evidence=[
                evidence_of(root.action),
                *(Evidence(step=step, quote=clip(root.quotes[step], 300)) for step in spread(sorted(root.quotes))),
            ],
            advice=[advice],
            taxonomy=Taxonomy(
                mast=["FM-2.5"], trail=["Tool Output Misinterpretation" if root.artifact else "Task Orchestration"]
            ),
            cost=cost_of(min(root.action, root.last, key=_step), max(root.action, root.last, key=_step)),
            group=failure.group,
        )


def _step(action: Action) -> int:
    return action.step


def _add(root: _Root, action: Action, quote: str) -> None:
    root.count += 1
    root.last = action
    if len(root.steps) < _MOST_STEPS:
        root.steps.append(action.step)
        root.quotes[action.step] = quote
