"""Tests that a run left out because it stopped at a failure, and that nothing took later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.diagnosis import Statement
from analyzer.model.words import Category, Kind
from analyzer.timeline.calls.selection import takes_all_of
from analyzer.timeline.verification.proof import counts_tests
from analyzer.timeline.verification.stopped_early import stopped_early


def left_out(end: End) -> Iterator[Statement]:
    """Of the last run that stopped at a failure with tests left: how many of them ran. Nothing where a later run took
    them all, or where a finding about that run says it."""
    for place in range(len(end.actions) - 1, -1, -1):
        run = end.actions[place]
        stopped = stopped_early(run) if run.kind is Kind.TEST else None
        if stopped is None:
            continue
        if stopped.ran is None or stopped.total is None or _taken(run, end.actions[place + 1 :]):
            return
        own = (entry for entry in end.case.findings if entry.lane == run.lane)
        if any(run.step in entry.steps for entry in own if entry.category is Category.VERIFICATION):
            return
        text = f"The run of step {run.step} stopped at a failure, and {stopped.words}: no later run took the others."
        yield Statement(part="known", text=text, steps=[run.step])
        return


def _taken(run: Action, later: Sequence[Action]) -> bool:
    """Whether a later run took every test of a run and came to its end, or may have for all that is known."""
    return any(
        action.kind is Kind.TEST
        and (stopped_early(action) is None)
        and (
            action.keys.call == run.keys.call
            or takes_all_of(action, run)
            or action.operation.runner is None
            or action.operation.runner != run.operation.runner
        )
        and (counts_tests(action) or action.failure is not None)
        for action in later
    )
