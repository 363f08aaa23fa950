"""Whether what a loop ran into was overcome, or the agent only went on with something else."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.model.words import Category, Kind, Status


def left_by(main: Finding, lane: Sequence[Action]) -> str:
    """How the agent left what a finding is about, as the end of a clause; empty where it didn't."""
    if not main.escaped:
        return ""
    if main.category is not Category.LOOP or overcome(main, lane):
        return ", then got out of it"
    return ", then went on with other things"


def overcome(main: Finding, lane: Sequence[Action]) -> bool:
    """Whether the error of a loop is gone: one of the calls that showed it succeeded later, or an edit of the same file
    where edits were refused, and it never showed again."""
    if main.group is None:
        return False
    showed = [action for action in lane if action.failure is not None and action.failure.group == main.group]
    in_loop = [action for action in showed if main.first_step <= action.step <= main.last_step]
    last = max((action.step for action in showed), default=main.last_step)
    calls = {action.keys.call_masked for action in in_loop}
    paths = {action.operation.path for action in in_loop if action.kind is Kind.EDIT and action.operation.path}
    return any(
        action.status is Status.OK
        and (
            action.keys.call_masked in calls
            or (action.kind is Kind.EDIT and bool(action.accepted_edits) and action.operation.path in paths)
        )
        for action in lane
        if action.step > last
    )
