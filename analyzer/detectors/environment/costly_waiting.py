"""The agent waits by polling: dozens of status checks.

What it flags
    A stretch of 50 polls or more for one thing (the same call, made again with little else in between), whether or not
    the answers change, or as many by one tool in the whole session, whatever they wait for; of 10 where they sent two
    million tokens to the model.

Why it matters
    Each poll sends the whole context to the model once more. A hundred of them cost millions of tokens and yield one
    bit of information; one call that blocks, or a message when it's done, costs one turn.

What it does not flag
    A wait of fewer polls, calls that were sent together in one message, one long call that blocks, paging, a game or a
    simulation in which each call is a move (its answers mention nothing that is running), a conversation with the
    user.

Options
    polls: how many polls make a finding (50).
    tokens: how many tokens sent make a finding of 10 polls or more (2,000,000).

Example:
    Steps 12-240 ask `get_job_status` 190 times; that took 3.1 million tokens and 95 minutes.

"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

from analyzer.commands.table import Does, knows
from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of
from analyzer.detectors.engine.table import new_finding
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.model.struct import Meta, Struct, field
from analyzer.model.words import Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.late import late

_GAP = 3
"""How many other actions may lie between two polls."""
_FEWEST = 10
"""Polls that a finding has at least."""
_SHOWN = 60
_MOST = 50
"""Calls that are followed at once."""
_PENDING = late(
    r"\b(?:running|pending|queued|waiting|in[ _-]?progress|processing|not (?:yet )?(?:ready|finished|done|complete)"
    r"|starting|scheduled|working|idle|no new|building|compiling|downloading|uploading)",
    re.IGNORECASE,
)
"""Words of something that goes on elsewhere."""
_SHARE = late(r"\b\d{1,3} ?%")
_LOOKED_AT = 2_000
_LONG = 120
"""Seconds from which the time that a wait took is named."""
_NO_POLL = frozenset({Kind.THINK, Kind.EDIT, Kind.FINISH})


class CostlyWaitingOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    polls: Annotated[int, Meta(ge=5)] = 50
    """How many polls make a finding."""
    tokens: Annotated[int, Meta(ge=1)] = 2_000_000
    """How many tokens sent to the model make a finding of fewer polls."""


class _Wait(Struct):
    """The polls for one thing."""

    first: Action
    last: Action
    position: int
    count: int = 1
    pending: int = 0
    sent: int = 0
    """The tokens that were sent to the model to ask for the polls."""
    at: int | None = None
    steps: list[int] = field(default_factory=list)
    """The steps of polls that don't follow each other closely, the first of them."""

    def sent_with(self, action: Action) -> bool:
        """Whether a call was sent together with the last poll."""
        return action.batch is not None and action.batch == self.last.batch

    def add(self, action: Action) -> None:
        self.last = action
        self.count += 1
        self.sent += (action.usage.tokens.input or 0) if action.usage is not None else 0


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: CostlyWaitingOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._position = -1
        self._waits: dict[str, _Wait] = {}
        self._raised: list[_Wait] = []
        self._of_tool: dict[str, _Wait] = {}

    def on_action(self, action: Action) -> Iterable[Finding]:
        commands = action.operation.commands
        waits = bool(commands) and all(knows(one.program, Does.WAITS) for one in commands)
        if action.harness or action.kind in _NO_POLL or waits:
            return
        self._position += 1
        yield from self._all_of_a_tool(action)
        key = action.keys.call_masked
        wait = self._waits.pop(key, None)
        if wait is None or action.after_user or self._position - wait.position > _GAP + 1:
            if len(self._waits) >= _MOST:
                self._waits.pop(next(iter(self._waits)))
            self._waits[key] = _Wait(action, action, self._position, pending=_speaks_of_waiting(action))
            return
        self._waits[key] = wait
        wait.position = self._position
        if wait.sent_with(action):
            wait.last = action
            return
        wait.add(action)
        wait.pending += _speaks_of_waiting(action)
        if self._is_new_and_costly(wait) and wait.pending * 2 >= wait.count:
            wait.at = action.step
            if not self.lane_context.live:
                self._raised.append(wait)
            yield self._finding(wait)

    def _all_of_a_tool(self, action: Action) -> Iterable[Finding]:
        """The polls by one tool in the whole session, whatever they ask for and whatever lies between them."""
        if action.kind is not Kind.WAIT or len(self._of_tool) >= _MOST:
            return
        wait = self._of_tool.setdefault(action.tool, _Wait(action, action, self._position, count=0))
        if wait.count and wait.sent_with(action):
            return
        wait.add(action)
        if len(wait.steps) < _SHOWN:
            wait.steps.append(action.step)
        if self._is_new_and_costly(wait):
            wait.at = action.step
            if not any(raised.first.tool == action.tool for raised in self._raised):
                yield self._finding(wait)

    def _is_new_and_costly(self, wait: _Wait) -> bool:
        enough = wait.count >= self._options.polls or (wait.count >= _FEWEST and wait.sent >= self._options.tokens)
        return wait.at is None and enough

    def findings(self) -> Iterable[Finding]:
        known = {wait.first.tool for wait in self._raised}
        spread = [wait for tool, wait in self._of_tool.items() if wait.at is not None and tool not in known]
        return [self._finding(wait) for wait in (*self._raised, *spread)]

    def _finding(self, wait: _Wait) -> Finding:
        assert wait.at is not None
        first, last, cost = wait.first, wait.last, cost_of(wait.first, wait.last)
        target = first.operation.target
        named = first.operation.command is not None or target in ("", first.tool)
        call = clip((target or first.tool) if named else f"{first.tool} {target}", 80)
        long = cost.seconds is not None and cost.seconds >= _LONG and not wait.steps
        return new_finding(
            "costly-waiting/polling",
            severity=Severity.HIGH if wait.count >= 4 * self._options.polls else Severity.MEDIUM,
            lane=self.lane_context.lane,
            steps=sorted({first.step, wait.at, last.step, *wait.steps}),
            detectable_at=wait.at,
            rounds=wait.count,
            evidence=[
                Evidence(step=one.step, label=f"{one.tool} answered", quote=clip(one.result or "(nothing)", 200))
                for one in (first, last)
            ],
            cost=cost,
            repeated=call,
            words="long" if long else "",
            slots={
                "polls": wait.count,
                "call": call,
                "minutes": None if cost.seconds is None else round(cost.seconds / 60),
                "first": first.step,
                "last": last.step,
            },
        )


def _speaks_of_waiting(action: Action) -> bool:
    if action.kind is Kind.WAIT or action.result is None:
        return action.kind is Kind.WAIT
    end = action.result[-_LOOKED_AT:]
    return _PENDING.search(end) is not None or ("%" in end and _SHARE.search(end) is not None)


OPTIONS = CostlyWaitingOptions()
STATE = _State
