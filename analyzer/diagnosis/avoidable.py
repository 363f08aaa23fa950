"""Which steps could have been saved: those that failed, came back, or made no difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.model.words import Category, Kind, Severity


def avoidable(actions: Sequence[Action], findings: Sequence[Finding]) -> list[int]:
    """The steps of a lane that could have been saved: a call that failed or was made again, a round of a loop, and an
    edit whose next check shows a failure that was there before it. What succeeded and was new there is no loss, and
    stays out. `findings` are those of the lane.
    """
    counted = {
        step
        for finding in findings
        if finding.category is Category.LOOP and finding.severity is not Severity.INFO
        for step in finding.steps
    }
    counted.update(_in_vain(actions))
    return [
        action.step
        for action in actions
        if not action.harness
        and (action.failure is not None or action.repeats_step is not None or action.step in counted)
    ]


def after_alarm(actions: Sequence[Action], step: int) -> int:
    """The first step that an alarm at `step` comes in time for: what was sent in the same message was on its way."""
    if not 1 <= step <= len(actions):
        return step + 1
    batch = actions[step - 1].batch
    later = (action.step for action in actions[step:] if batch is None or action.batch != batch)
    return next(later, len(actions) + 1)


def _in_vain(actions: Sequence[Action]) -> Iterator[int]:
    """The edits whose next check shows a failure that was there before them."""
    first_seen: dict[str, int] = {}
    waiting: list[int] = []
    for action in actions:
        group = action.failure.group if action.failure is not None else None
        if action.failure is not None or action.kind is Kind.TEST:
            seen = first_seen.get(group or "", action.step)
            yield from (step for step in waiting if seen < step)
            waiting.clear()
        if group is not None:
            first_seen.setdefault(group, action.step)
        if action.kind is Kind.EDIT:
            waiting.append(action.step)
