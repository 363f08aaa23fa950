"""The state of rules about failures that come back, shared by the detectors that ask why one does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from analyzer.detectors.engine.rule_state import LaneContext, RuleState, StepCounter
from analyzer.detectors.engine.table import new_finding
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.finding import Finding
from analyzer.model.words import Kind, Status
from analyzer.timeline.calls.judging import bare_line

_MOST_EDITS = 2_000
_LOUDNESS = frozenset({"-q", "-qq", "-v", "-vv", "-s", "--quiet", "--verbose"})
_STEP = attrgetter("step")
_MOST_GROUPS_LIVE = 500


class Recurrence:
    """One failure and its occurrences since something last changed what it could mean."""

    __slots__ = ("counter", "failure", "finding", "passed")

    def __init__(self, lane_context: LaneContext, failure: Failure) -> None:
        self.counter = StepCounter(lane_context)
        self.failure = failure
        self.finding: Finding | None = None
        self.passed: int | None = None
        """The step at which the same check first passed after the last occurrence."""

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
        self._edits: list[Action] = []
        """The last edits in order, at least as many as are looked at."""
        self._closed: list[Finding] = []
        self._awaited: defaultdict[str, dict[str, Recurrence]] = defaultdict(dict)
        """The failures that each check has shown since it last passed."""
        self.ended = False
        """Whether all of the lane has been seen."""

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
        if (action.operation.edits and action.accepted_edits) or (failure is None and action.kind is Kind.EDIT):
            self._edits.append(action)
            if len(self._edits) >= 2 * _MOST_EDITS:
                del self._edits[:-_MOST_EDITS]
        if failure is None and self._awaited and action.status is Status.OK and action.kind in (Kind.TEST, Kind.RUN):
            for shown in self._awaited.pop(_check(action), {}).values():
                shown.passed = action.step
        if failure is None or failure.group is None or failure.expected:
            return
        recurrence = self._groups.get(failure.group)
        if recurrence is not None and self.restarts(recurrence, self._edits_after(recurrence.counter.last)):
            self._close(recurrence)
            recurrence = None
        if recurrence is None:
            if self.lane_context.live and len(self._groups) > _MOST_GROUPS_LIVE:
                self._groups.pop(next(iter(self._groups)))
            recurrence = self._groups[failure.group] = Recurrence(self.lane_context, failure)
        if not recurrence.counter.add(action):
            return
        recurrence.failure, recurrence.passed = failure, None
        if not self.lane_context.live:
            self._awaited[_check(action)][failure.group] = recurrence
        if recurrence.finding is None and recurrence.counter.count >= self._threshold:
            recurrence.finding = self.judge(recurrence, action, self._edits_after(recurrence.counter.first))
            if recurrence.finding is not None:
                yield recurrence.finding

    def findings(self) -> Iterable[Finding]:
        """All findings so far; one that the agent dealt with after its last occurrence is reported as left behind."""
        self.ended = True
        for recurrence in self._groups.values():
            finding = self._complete(recurrence)
            if finding is not None and not self.disproved(recurrence, finding):
                left = self.restarts(recurrence, self._edits_after(recurrence.counter.last))
                yield self.left_behind(finding) if left else finding
        yield from self._closed

    def disproved(self, recurrence: Recurrence, finding: Finding) -> bool:  # noqa: ARG002
        """Whether what came after the last occurrence speaks against the finding."""
        return False

    def edits_up_to_pass(self, recurrence: Recurrence) -> list[Action]:
        """The edits between the last occurrence and the run in which the same check passed."""
        passed = recurrence.passed
        return self._edits_after(recurrence.counter.last, passed) if passed is not None else []

    def found(self, name: str, recurrence: Recurrence, failure: Failure, **fields: Any) -> Finding:
        """A finding about all occurrences of a failure so far; `fields` say what is made of them."""
        return new_finding(
            name,
            lane=self.lane_context.lane,
            steps=recurrence.steps,
            rounds=recurrence.counter.count,
            cost=recurrence.counter.cost,
            group=failure.group,
            **{"repeated": failure.headline[:300], **fields},
        )

    def _complete(self, recurrence: Recurrence) -> Finding | None:
        """The finding as of the last occurrence."""
        raised, last = recurrence.finding, recurrence.counter.last
        late = self.ended and not self.lane_context.live and recurrence.counter.count >= self._threshold
        due = late if raised is None else self.ended or (last is not None and last.step != raised.detectable_at)
        if last is None or not due:
            return raised
        found = self.judge(recurrence, last, self._edits_after(recurrence.counter.first, last.step))
        if raised is None or found is None:
            return found or raised
        return found.model_copy(update={"detectable_at": raised.detectable_at})

    def left_behind(self, finding: Finding) -> Finding:
        """The finding of a failure that the agent then dealt with in the right place."""
        return finding.model_copy(update={"escaped": True})

    def forget(self) -> None:
        """Start counting again from zero."""
        for recurrence in self._groups.values():
            self._close(recurrence)
        self._groups.clear()

    def _edits_after(self, action: Action | None, upto: int | None = None) -> list[Action]:
        """The edits since an occurrence, in order, up to a step."""
        known = max(0, len(self._edits) - _MOST_EDITS)
        start = bisect_right(self._edits, action.step, known, key=_STEP) if action is not None else len(self._edits)
        return self._edits[start : None if upto is None else bisect_right(self._edits, upto, start, key=_STEP)]

    def _close(self, recurrence: Recurrence) -> None:
        finding = self._complete(recurrence) if not self.lane_context.live else None
        if finding is not None:
            self._closed.append(self.left_behind(finding))


def _check(action: Action) -> str:
    """What is checked, whatever its output is piped through, and however much it says."""
    commands = action.operation.commands
    return _quiet(commands[0].text) if commands else action.keys.call


@lru_cache(maxsize=4_096)
def _quiet(line: str) -> str:
    return " ".join([word for word in bare_line(line).split() if word not in _LOUDNESS])
