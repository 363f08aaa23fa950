"""A record that the agents keep about themselves says that they are in a loop or make no progress.

What it flags
    Two or more steps after which the harness's own record, such as the ledger of a team's orchestrator, says that the
    agents are in a loop, make no progress, or have to plan again.

Why it matters
    The program that could end the run says so while it goes on. The remaining steps mostly repeat what didn't
    help before, and an answer that is still given has little support.

What it does not flag
    A single such entry, entries that say that all is well or that there is progress nevertheless, an agent's statements
    about being stuck, thoughts of a model. Severity is lower where the run continued for some steps after the last
    entry, or where the same record says at the end that the request is satisfied.

Options
    steps: after how many steps the record must say so (2).

Example:
    After steps 3, 5 and 6 the ledger says "We ask for the same menu again", and step 7 asks for it again.

"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from pydantic import Field

from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import LiveDetector, Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState
from analyzer.model.action import Action
from analyzer.model.finding import Cost, Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import plural

_MANY = 4
"""Steps from which on it's no passing trouble."""
_GOT_ON = 3
"""Steps behind the last such entry from which on the run did get further."""
_MOST = 60
_QUOTED = 300


class RecordedStallOptions(Options):
    """Options of this detector."""

    steps: int = Field(default=2, ge=2)
    """After how many steps the record must say so."""


class RecordedStall(LiveDetector):
    """At most one finding per lane."""

    name = "recorded-stall"
    category = Category.PLAN
    taxonomy = Taxonomy.of(mast=["FM-1.3"], trail=["Goal Deviation"])
    options = RecordedStallOptions.usual()
    cause_name = "a stall that the run records itself"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("What did the step after step {first} do differently, and what new did it bring?",),
                approaches=(
                    ("Change the means", "Ask another agent or another source once the record says that one is stuck."),
                    ("End it", "Report what is known and what is missing instead of planning once more."),
                ),
                improvement="Act on the record that the agents keep",
                change="After the second entry that says so, let the next request go to another agent or end the run.",
                lesson="A run that writes down that it's stuck has to do something about it.",
            )
        }
    )

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        assert isinstance(self.options, RecordedStallOptions)
        return _State(lane_context, self.options)


DETECTOR = RecordedStall()


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: RecordedStallOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._step = 0
        self._said: dict[int, str] = {}
        """The first words about each step."""
        self._raised_at: int | None = None
        self._satisfied = False
        """Whether the last that the record says is that the request is satisfied."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._step = action.step
        return ()

    def on_message(self, message: Message) -> Iterable[Finding]:
        self._satisfied = message.satisfied or (self._satisfied and message.stalled is None)
        if message.stalled is None or self._step < 1 or self._step in self._said or len(self._said) >= _MOST:
            return
        self._said[self._step] = message.stalled
        if self._raised_at is None and len(self._said) >= self._options.steps:
            self._raised_at = self._step
            yield self._finding()

    def findings(self) -> Iterable[Finding]:
        return [self._finding()] if self._raised_at is not None and not self.lane_context.live else []

    def _finding(self) -> Finding:
        assert self._raised_at is not None
        steps = list(self._said)
        shown = dict.fromkeys((steps[0], steps[len(steps) // 2], steps[-1]))
        passing = len(steps) < _MANY or self._satisfied or self._step - steps[-1] >= _GOT_ON
        return RecordedStall.finding(
            severity=Severity.LOW if passing else Severity.MEDIUM,
            confidence=0.8,
            title=f"At {plural(len(steps), 'step')} the run's own record says that it loops or makes no progress",
            lane=self.lane_context.lane,
            steps=steps,
            detectable_at=self._raised_at,
            rounds=len(steps),
            evidence=[
                Evidence(step=step, label="the run's own record", quote=clip(self._said[step], _QUOTED))
                for step in shown
            ],
            advice=[
                "Send the next request to another agent or another source, or end the run and report what is known."
            ],
            cost=Cost(actions=0),
        )
