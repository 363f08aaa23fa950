"""What the guard would have said of a session at each alarm, and which steps could have been saved.

The findings at an alarm are as they were then, with nothing of what came later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import LiveDetector
from analyzer.detectors.engine.outside import start
from analyzer.detectors.engine.registry import live_detectors
from analyzer.detectors.engine.rule_state import LaneContext, kinds_asked
from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.model.words import Category, Kind, Repeat, Severity
from analyzer.timeline import Timeline
from analyzer.workspace.difference import KeptChanges
from analyzer.workspace.history import History


class Alarms:
    """Shows a session to the rules once more, each as far as it's asked about."""

    def __init__(self, timeline: Timeline) -> None:
        self._facts = Facts(timeline)
        self._followed: dict[tuple[str, str], tuple[Iterator[int], list[Finding]]] = {}

    def words(self, finding: Finding) -> str:
        """The title that a finding had when its rule raised it at the step from which it's detectable; empty where the
        rule can't follow a running agent, or raises nothing at that step with the options that are usual."""
        rule, key = live_detectors().get(finding.detector), (finding.detector, finding.lane)
        if rule is None:
            return ""
        if key not in self._followed:
            found: list[Finding] = []
            self._followed[key] = _follow(rule, self._facts, finding.lane, found), found
        steps, raised = self._followed[key]
        for step in steps:
            if step > finding.detectable_at:
                break
        then = (entry for entry in raised if entry.detectable_at == finding.detectable_at)
        likeliest = max(then, key=lambda entry: _likeness(entry, finding), default=None)
        return likeliest.title if likeliest is not None else ""


def _follow(rule: LiveDetector, facts: Facts, lane: str, found: list[Finding]) -> Iterator[int]:
    """Shows a rule the events of a lane, and adds what it raises to what was found; the step of each."""
    state, step = start(rule, LaneContext(lane, facts.timeline.session.task or "", facts.timeline.masks)), 0
    asked = kinds_asked(state)
    for event in facts.events(lane):
        step = event.step if isinstance(event, Action) else step
        if isinstance(event, asked):
            found.extend(state.feed(event))
        yield step


def _likeness(raised: Finding, finding: Finding) -> tuple[bool, bool, int]:
    """How sure it is that a raised finding is the one that is known afterwards."""
    shared = len(set(raised.steps) & set(finding.steps))
    return finding.group is not None and raised.group == finding.group, raised.kind == finding.kind, shared


def avoidable(actions: Sequence[Action], findings: Sequence[Finding], history: History | None = None) -> list[int]:
    """The steps of a lane that could have been saved: a call that failed or was made again, a round of a loop, and an
    edit whose next check shows the failure that was there before it. What succeeded and was new there is no loss, and
    stays out; so does a change that is still there in what the session left, unless what it left ends with that very
    failure. `findings` are those of the lane."""
    counted = {step for loop in loops_in(findings) for step in loop.steps}
    ends_with, kept = _last_failure(actions), KeptChanges(history) if history is not None else None

    def holds(step: int) -> bool:
        return kept is not None and kept.holds(step, actions[0].lane)

    counted.update(step for step, group in _in_vain(actions) if group == ends_with or not holds(step))

    def lost(action: Action) -> bool:
        if action.failure is not None or action.step in counted:
            return True
        made_again = action.repeats_as is Repeat.MADE_AGAIN
        return action.repeats_step is not None and not (made_again and holds(action.step))

    return [action.step for action in actions if not action.harness and lost(action)]


def loops_in(findings: Iterable[Finding]) -> list[Finding]:
    """The loops among some findings that weigh something."""
    return [one for one in findings if one.category is Category.LOOP and one.severity is not Severity.INFO]


def after_alarm(actions: Sequence[Action], step: int) -> int:
    """The first step that an alarm at `step` comes in time for: what was sent in the same message was on its way."""
    if not 1 <= step <= len(actions):
        return step + 1
    batch = actions[step - 1].batch
    later = (action.step for action in actions[step:] if batch is None or action.batch != batch)
    return next(later, len(actions) + 1)


def _last_failure(actions: Sequence[Action]) -> str | None:
    """The failure with which the last check ends, a test or a run that has failed before; None where there is none."""
    ran = [action for action in actions if action.kind in (Kind.RUN, Kind.TEST) and not action.harness]
    failed = {action.keys.call_masked for action in ran if action.failure is not None}
    checks = (action for action in reversed(ran) if action.kind is Kind.TEST or action.keys.call_masked in failed)
    last = next(checks, None)
    return last.failure.group if last is not None and last.failure is not None else None


def _in_vain(actions: Sequence[Action]) -> Iterator[tuple[int, str]]:
    """The edits whose next check shows a failure that was there before them, with that failure. Where the same check
    had shown another one right before, the edit made a difference."""
    first_seen: dict[str, int] = {}
    shown: dict[str, tuple[int, str | None]] = {}
    waiting: list[int] = []
    for action in actions:
        group = action.failure.group if action.failure is not None else None
        if action.failure is not None or action.kind is Kind.TEST:
            seen, call = first_seen.get(group or "", action.step), action.keys.call_masked
            before = shown.get(call)
            for step in waiting:
                differed = before is not None and before[0] < step and before[1] != group
                if group is not None and seen < step and not differed:
                    yield step, group
            waiting.clear()
            shown[call] = action.step, group
        elif action.kind is Kind.RUN and action.keys.call_masked in shown:
            waiting.clear()
            shown[action.keys.call_masked] = action.step, None
        if group is not None:
            first_seen.setdefault(group, action.step)
        if action.kind is Kind.EDIT:
            waiting.append(action.step)
