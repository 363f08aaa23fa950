"""The state of rules about failures that come back, shared by the detectors that ask why one does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Sequence

from analyzer.detectors.engine.rule_state import LaneContext, RuleState, StepCounter
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.finding import Finding
from analyzer.model.words import Kind

_MOST_EDITS = 2_000
_MOST_GROUPS_LIVE = 500


class Recurrence:
    """One failure and its occurrences since something last changed what it could mean."""

    __slots__ = ("counter", "failure", "finding")

    def __init__(self, lane_context: LaneContext, failure: Failure) -> None:
        self.counter = StepCounter(lane_context)
        self.failure = failure
        self.finding: Finding | None = None

    @property
    def steps(self) -> list[int]:
        """Where it showed."""
        return self.counter.steps


class Recurrences(RuleState, ABC):
    """Counts every failure of a lane that is not meant to fail, calls of one message once, and asks `judge` from the
    threshold on."""

    def __init__(self, lane_context: LaneContext, threshold: int) -> None:
        super().__init__(lane_context)
        self._threshold = threshold
        self._groups: dict[str, Recurrence] = {}
        self._edits: deque[Action] = deque(maxlen=_MOST_EDITS)
        self._closed: list[Finding] = []

    @abstractmethod
    def judge(self, recurrence: Recurrence, action: Action, edits: Sequence[Action]) -> Finding | None:
        """The finding at an occurrence, `edits` being the accepted edits since the first one. None where there's none
        yet. Asked again for the last occurrence, when all is known."""

    def restarts(self, recurrence: Recurrence, edits: Sequence[Action]) -> bool:  # noqa: ARG002
        """Whether one of these edits ends what was counted so far."""
        return False

    def on_action(self, action: Action) -> Iterable[Finding]:
        """Take the next action; the findings that became detectable with it."""
        failure = action.failure
        if failure is None:
            if action.kind is Kind.EDIT:
                self._edits.append(action)
            return
        if failure.group is None or failure.expected:
            return
        recurrence = self._groups.get(failure.group)
        if recurrence is not None and self.restarts(recurrence, self._since(recurrence)):
            self._close(recurrence)
            recurrence = None
        if recurrence is None:
            if self.lane_context.live and len(self._groups) > _MOST_GROUPS_LIVE:
                self._groups.pop(next(iter(self._groups)))
            recurrence = self._groups[failure.group] = Recurrence(self.lane_context, failure)
        if not recurrence.counter.add(action):
            return
        recurrence.failure = failure
        if recurrence.finding is None and recurrence.counter.count >= self._threshold:
            recurrence.finding = self.judge(recurrence, action, self._since(recurrence))
            if recurrence.finding is not None:
                yield recurrence.finding

    def findings(self) -> Iterable[Finding]:
        """All findings so far; one that the agent dealt with after its last occurrence is reported as left behind."""
        for recurrence in self._groups.values():
            finding = self._complete(recurrence)
            if finding is not None:
                left = self.restarts(recurrence, self._since(recurrence))
                yield self.left_behind(finding) if left else finding
        yield from self._closed

    def _complete(self, recurrence: Recurrence) -> Finding | None:
        """The finding as of the last occurrence."""
        raised, last = recurrence.finding, recurrence.counter.last
        if raised is None or last is None or last.step == raised.detectable_at:
            return raised
        found = self.judge(recurrence, last, [edit for edit in self._since(recurrence) if edit.step < last.step])
        return found.model_copy(update={"detectable_at": raised.detectable_at}) if found is not None else raised

    def left_behind(self, finding: Finding) -> Finding:
        """The finding of a failure that the agent then dealt with in the right place."""
        return finding.model_copy(update={"escaped": True})

    def forget(self) -> None:
        """Start counting again from zero."""
        for recurrence in self._groups.values():
            self._close(recurrence)
        self._groups.clear()

    def _since(self, recurrence: Recurrence) -> list[Action]:
        first = recurrence.counter.first
        return [edit for edit in self._edits if first is not None and edit.step > first.step] if self._edits else []

    def _close(self, recurrence: Recurrence) -> None:
        finding = self._complete(recurrence) if not self.lane_context.live else None
        if finding is not None:
            self._closed.append(self.left_behind(finding))
