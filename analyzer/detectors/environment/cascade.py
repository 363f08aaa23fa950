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

from pydantic import Field

from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of, spread
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.model.struct import Struct, field
from analyzer.model.words import Mark
from analyzer.text.clip import clip

_MOST_STEPS = 50


class CascadeOptions(Options):
    """Options of this detector."""

    dependants: int = Field(default=2, ge=2)
    """How many calls must have been cancelled."""


class _Root(Struct):
    """A failure, and what it has cost since."""

    action: Action
    last: Action
    steps: list[int] = field(default_factory=list)
    quotes: dict[int, str] = field(default_factory=dict)
    count: int = 0
    raised: int | None = None


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: CascadeOptions) -> None:
        super().__init__(lane_context)
        self._needed = options.dependants
        self._kept: list[_Root] = []
        self._batch: tuple[str, _Root] | None = None

    def on_action(self, action: Action) -> Iterable[Finding]:
        root = self._cancelled(action) if action.mark is Mark.CASCADE else None
        if action.failed and action.batch is not None and (self._batch is None or self._batch[0] != action.batch):
            self._batch = action.batch, _Root(action, action)
        if root is not None and root.count >= self._needed and root.raised is None:
            root.raised = action.step
            if not self.lane_context.live:
                self._kept.append(root)
            yield self._finding(root)

    def findings(self) -> Iterable[Finding]:
        return [self._finding(root) for root in self._kept]

    def _cancelled(self, action: Action) -> _Root | None:
        """The failure for which a call was cancelled: the failing call of the same message, before it."""
        if action.batch is None:
            return None
        if self._batch is not None and self._batch[0] == action.batch:
            _add(self._batch[1], action, clip(action.result or "cancelled", 200))
            return self._batch[1]
        return None

    def _finding(self, root: _Root) -> Finding:
        failure = root.action.failure
        assert failure is not None
        assert root.raised is not None
        steps = sorted({root.action.step, *root.steps})
        return new_finding(
            "cascade/cancelled-calls",
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
            cost=cost_of(min(root.action, root.last, key=_step), max(root.action, root.last, key=_step)),
            group=failure.group,
            slots={
                "calls": root.count,
                "step": root.action.step,
                "message": failure.headline,
                "call": root.action.operation.target,
            },
        )


def _step(action: Action) -> int:
    return action.step


def _add(root: _Root, action: Action, quote: str) -> None:
    root.count += 1
    root.last = action
    if len(root.steps) < _MOST_STEPS:
        root.steps.append(action.step)
        root.quotes[action.step] = quote


OPTIONS = CascadeOptions.usual()
STATE = _State
