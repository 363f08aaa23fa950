"""One failure takes others along: calls of the same message were cancelled because of it.

What it flags
    A call that failed, and two or more calls of the same message that the harness cancelled because of it
    (`cancelled-calls`).

Why it matters
    None of the cancelled calls ran. The failed one is the one to look at; the others have to be sent again.

What it does not flag
    A single cancelled call.

Options
    dependants: how many calls must have been cancelled (2).

Example:
    The first of five parallel reads fails at step 3; steps 4 to 7 end with `Cancelled: parallel tool call errored`.

"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of, spread
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.model.struct import Meta, Struct, field
from analyzer.model.words import Mark
from analyzer.text.clip import clip

_MOST_STEPS = 50


class CascadeOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    dependants: Annotated[int, Meta(ge=2)] = 2
    """How many calls must have been cancelled."""


class _Root(Struct):
    """A failure, and the calls that it has cost since."""

    action: Action
    last: Action
    quotes: dict[int, str] = field(default_factory=dict)
    count: int = 0
    raised: int | None = None


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: CascadeOptions) -> None:
        super().__init__(lane_context)
        self._needed = options.dependants
        self._kept: list[_Root] = []
        self._first: _Root | None = None
        """The first failing call of the last message that had one."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        root = self._first
        if root is None or root.action.batch != action.batch:
            if action.failed and action.batch is not None:
                self._first = _Root(action, action)
        elif action.mark is Mark.CASCADE:
            root.count += 1
            root.last = action
            if len(root.quotes) < _MOST_STEPS:
                root.quotes[action.step] = clip(action.result or "cancelled", 200)
            if root.count >= self._needed and root.raised is None:
                root.raised = action.step
                if not self.lane_context.live:
                    self._kept.append(root)
                yield self._finding(root)

    def findings(self) -> Iterable[Finding]:
        return [self._finding(root) for root in self._kept]

    def _finding(self, root: _Root) -> Finding:
        failure = root.action.failure
        assert failure is not None
        assert root.raised is not None
        shown = [Evidence(step=step, quote=root.quotes[step]) for step in spread(list(root.quotes))]
        return new_finding(
            "cascade/cancelled-calls",
            lane=self.lane_context.lane,
            last_step=root.last.step,
            steps=[root.action.step, *root.quotes],
            detectable_at=root.raised,
            rounds=root.count,
            evidence=[evidence_of(root.action), *shown],
            cost=cost_of(root.action, root.last),
            group=failure.group,
            slots={
                "calls": root.count,
                "step": root.action.step,
                "message": failure.headline,
                "call": root.action.operation.target,
            },
        )


OPTIONS = CascadeOptions()
STATE = _State
