"""Calls that a person decided against, and calls of which only an answer is known."""

from __future__ import annotations

from analyzer.model.action import Action
from analyzer.model.words import FailureKind, NotRun, Status


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
    """Whether a call asked another agent, and all that is known is that it answered."""
    return action.asks_agent and action.status is Status.UNKNOWN and bool((action.result or "").strip())
