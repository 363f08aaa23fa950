"""Calls that a person decided against, and tasks that say what follows then."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.action import Action
from analyzer.model.words import FailureKind, NotRun, Status
from analyzer.task.branches import foresees_refusal
from analyzer.timeline.closing.ending import asked_for
from analyzer.timeline.delegates import says_unable
from analyzer.timeline.timeline import Timeline


def is_decision(action: Action) -> bool:
    """Whether a person decided against a call."""
    return action.failure is not None and action.failure.is_decision


def not_run(action: Action) -> NotRun | None:
    """Why a call never ran; None where it did, or where the log doesn't tell."""
    if is_decision(action) or _waits(action):
        return NotRun.REFUSED
    cancelled = action.failure is not None and action.failure.kind is FailureKind.CASCADE
    return NotRun.CANCELLED if cancelled else None


def _waits(action: Action) -> bool:
    """Whether a call was held back for want of somebody's leave."""
    return action.failure is not None and action.failure.is_held_back


def has_failed(action: Action) -> bool:
    """Whether a step counts as failed: it shows a failure, and not one that kept it from running."""
    return action.failure is not None and not_run(action) is None


def only_answered(action: Action) -> bool:
    """Whether a call asked another agent, and all that is known is that it answered, and not that it couldn't do it."""
    return _came_back(action) and says_unable(action.result or "") is None


def answered_unable(action: Action) -> bool:
    """Whether a call asked another agent, which answered that it couldn't do it."""
    return _came_back(action) and says_unable(action.result or "") is not None


def _came_back(action: Action) -> bool:
    return action.asks_agent and action.status is Status.UNKNOWN and bool((action.result or "").strip())


def refused_as_foreseen(timeline: Timeline, actions: Sequence[Action]) -> bool:
    """Whether the last of some actions was refused by a person, and the user had said what is to be done then."""
    return bool(actions) and is_decision(actions[-1]) and foresees_refusal(asked_for(timeline))
