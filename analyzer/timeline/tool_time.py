"""Whose time passed between a call and its result: the tool's, or that of somebody who had to allow or answer it."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.model.action import Action
from analyzer.model.words import Kind

_HANDLES = frozenset({Kind.READ, Kind.EDIT})
_LONG = 300.0
"""Seconds from which on the reading or writing of one file can't be what took the time."""
_ASKS = frozenset({"question", "questions", "prompt_user"})


def tool_time(action: Action, took: float) -> float | None:
    """The seconds that a call took, where these are known only as those between two entries of the log; None where
    somebody decided on it in that time, or was asked by it, or where a file of the machine was read or written and the
    time is far too long for that."""
    failure = action.failure
    if failure is not None and (failure.is_decision or failure.is_held_back):
        return None
    if isinstance(action.arguments, Mapping) and _ASKS & {str(name).lower() for name in action.arguments}:
        return None if action.operation.command is None else took
    one_file = action.kind in _HANDLES and action.operation.command is None and failure is None
    return None if one_file and took >= _LONG and "://" not in action.operation.target else took
