"""The agent deploys without having run a test.

What it flags
    A deployment before which no test has passed.

Why it matters
    What was deployed was never tried.

What it does not flag
    A deployment after a passing test run.

Options
    command: the program that deploys (deploy).

Example:
    Step 7 runs `deploy`; no test had run before.

"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from analyzer.detectors.engine.interface import Guidance, LiveDetector, Options
from analyzer.detectors.engine.rule_state import ImmediateState, LaneContext, RuleState, cost_of
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Payload, Taxonomy
from analyzer.model.words import Category, Kind, Severity


class UntestedDeployOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    command: str = "deploy"
    """The program that deploys."""


class Deployment(Payload, frozen=True, kw_only=True):
    """What was deployed, and how many tests had failed before."""

    type: Literal["untested-deploy"] = "untested-deploy"
    failed_tests: int


GUIDANCE = {
    "": Guidance(
        questions=("Which test would have failed before step {first}, and why was it not run?",),
        approaches=(
            ("Undo it", "Roll back what step {first} deployed, run the tests, and deploy again."),
            ("Try it elsewhere", "Deploy to a staging system, and run the tests against that."),
        ),
        improvement="A gate before every deployment",
        change="Let the deployment refuse to start while no test has passed since the last edit.",
        lesson="A deployment is no test.",
    )
}


class UntestedDeploy(LiveDetector):
    """One finding per deployment."""

    name = "untested-deploy"
    category = Category.VERIFICATION
    taxonomy = Taxonomy(mast=["FM-3.2"])
    options = UntestedDeployOptions()
    cause_rank = 4
    guidance = GUIDANCE
    first_failure_rank = 4
    cause_name = "deployment without a test"
    case_lesson = "What deploys has to know whether the tests passed; the agent's word isn't enough."

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _Progress(lane_context, self.options)


class _Progress(ImmediateState):
    def __init__(self, lane_context: LaneContext, options: UntestedDeployOptions) -> None:
        super().__init__(lane_context)
        self.program = options.command
        self.tested = False
        self.failed_tests = 0

    def inspect(self, action: Action) -> Iterable[Finding]:
        if action.kind is Kind.TEST:
            self.tested = self.tested or action.failure is None
            self.failed_tests += action.failure is not None
        if not self.tested and any(command.program == self.program for command in action.operation.commands):
            yield UntestedDeploy.finding(
                severity=Severity.HIGH,
                confidence=0.9,
                title=f"Step {action.step} deploys, and no test had passed before",
                lane=action.lane,
                steps=[action.step],
                detectable_at=action.step,
                evidence=[Evidence(step=action.step, quote=action.operation.target[:200])],
                advice=["Run the tests before deploying."],
                cost=cost_of(action, action),
                details=Deployment(failed_tests=self.failed_tests),
            )


DETECTOR = UntestedDeploy()
