"""The same rules, live: tell a running agent what an analysis of its recording would say.

```python
from analyzer.guard import Guard

guard = Guard(task)
for alarm in guard.observe(tool, arguments, result, exit_code=code):
    messages.append({"role": "user", "content": alarm.message})
```

Every detector that can follow a session step by step takes part. What it raises at a step is what the analysis of the
finished recording raises with that step as `detectable_at`; a loop that later turns out to be a part of a longer one
may be raised on its own. One event is one alarm: what a repeated error, an edit or a count of idle steps says of a loop
at the step at which it's raised comes with that alarm. Memory is constant, whatever the length of the run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal

from analyzer.detectors.engine.interface import LiveDetector, Trait
from analyzer.detectors.engine.outside import start
from analyzer.detectors.engine.registry import Settings, check_names, configured, detectors, has, is_asked
from analyzer.detectors.engine.rule_state import LaneContext, RuleState
from analyzer.diagnosis.agent_message import agent_message
from analyzer.failures import STANDARD, MaskTable
from analyzer.model.finding import Finding
from analyzer.model.session import Message, ToolCall, ToolResult
from analyzer.model.struct import Public, field
from analyzer.model.words import MAIN_LANE, Category, Mark, Severity
from analyzer.timeline.trace import LiveLane

__all__ = ["Alarm", "Guard"]


class Alarm(Public, frozen=True, kw_only=True):
    """A finding that has just become detectable, with what to tell the agent."""

    finding: Finding
    """The finding as of now: `detectable_at` is the step that was just observed."""
    message: str
    """A message for the agent's context that makes it step back, in this session's terms."""
    also: list[Finding] = field(default_factory=list)
    """What other detectors say of the same event at the same step; the message covers it."""


class Guard:
    """Watches one session of an agent as it happens.

    `task` is what the user asked for; some rules need it. `select`, `ignore` and `settings` choose detectors and their
    options as for `analyzer.detectors.detect`; `least` leaves out findings of less weight; `masks` adds to what is
    hidden before errors are compared. Raises `analyzer.model.errors.BadConfiguration` for a name, an option or a mask
    that can't be used.
    """

    def __init__(
        self,
        task: str = "",
        *,
        select: Collection[str] = (),
        ignore: Collection[str] = (),
        settings: Settings | None = None,
        masks: Mapping[str, str] | None = None,
        least: Severity = Severity.INFO,
    ) -> None:
        check_names(select, of_families=True)
        check_names(ignore, of_old=True, of_families=True)
        known = configured(settings) if settings else detectors()
        asked = [entry for entry in known if is_asked(entry, select, ignore)]
        self._detectors = [entry for entry in asked if isinstance(entry, LiveDetector)]
        self._task = task
        self._masks = MaskTable(masks) if masks else STANDARD
        self._least = least.rank
        self._lanes: dict[str, tuple[LiveLane, list[RuleState]]] = {}
        self._count = 0

    def observe(
        self,
        tool: str,
        arguments: Mapping[str, Any] | str,
        result: str | None,
        *,
        exit_code: int | None = None,
        is_error: bool | None = None,
        said: str = "",
        lane: str = MAIN_LANE,
        batch: str | None = None,
        started_at: float | None = None,
        duration: float | None = None,
        mark: Mark | None = None,
    ) -> list[Alarm]:
        """Take the next tool call with its result; the alarms that it gives rise to, the worst first.

        `result` is what the tool printed or returned, as text; None where there was none. `said` is what the agent said
        before the call, `lane` tells sub-agents apart, calls of one message share a `batch`. Times are seconds since
        1970, `duration` is in seconds.
        """
        self._count += 1
        name = f"call-{self._count}"
        alarms = self.hear(said, role="assistant", lane=lane) if said else []
        call = ToolCall(name, tool, arguments, started_at, lane, batch)
        answer = (
            ToolResult(name, result, is_error, exit_code, duration=duration, lane=lane, mark=mark)
            if result is not None
            else None
        )
        return [*alarms, *self.take(call, answer)]

    def hear(self, text: str, role: Literal["user", "assistant"] = "user", lane: str = MAIN_LANE) -> list[Alarm]:
        """Take a message of the user or of the agent; the alarms that it gives rise to."""
        return self.take_message(Message(role, text, lane=lane))

    def compacted(self, lane: str = MAIN_LANE, *, by_user: bool = False) -> None:
        """Earlier context of a lane was dropped or summarised; `by_user` says that the user ordered it."""
        self._lane(lane)[0].compact(by_user=by_user)

    def take(self, call: ToolCall, result: ToolResult | None) -> list[Alarm]:
        """Take a call as a transcript's reader gives it."""
        timeline, states = self._lane(call.lane)
        action = timeline.add(call, result)
        return self._alarms(finding for state in states for finding in state.feed(action))

    def take_message(self, message: Message) -> list[Alarm]:
        """Take a message as a transcript's reader gives it."""
        timeline, states = self._lane(message.lane)
        timeline.hear(message)
        return self._alarms(finding for state in states for finding in state.feed(message))

    def _lane(self, lane: str) -> tuple[LiveLane, list[RuleState]]:
        known = self._lanes.get(lane)
        if known is None:
            lane_context = LaneContext(lane, self._task, self._masks, live=True)
            known = self._lanes[lane] = (
                LiveLane(lane, self._task, self._masks),
                [start(entry, lane_context) for entry in self._detectors],
            )
        return known

    def _alarms(self, findings: Iterable[Finding]) -> list[Alarm]:
        found = [finding for finding in findings if finding.severity.rank >= self._least]
        found.sort(key=lambda finding: (-finding.severity.rank, -finding.confidence, finding.detector))
        loop = next((finding for finding in found if finding.category is Category.LOOP), None)
        aspects = [
            finding
            for finding in found
            if loop is not None and finding is not loop and has(finding, Trait.ASPECT_OF_LOOP)
        ]
        return [
            Alarm(finding=finding, message=agent_message(finding), also=aspects if finding is loop else [])
            for finding in found
            if finding not in aspects
        ]
