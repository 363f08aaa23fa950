"""The actions that only waited: those that pause or block by themselves, and those that ask once more for the state of
something while nothing is done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.timeline.status_checks import LEAVES

_LONG = 1.0
"""Seconds from which on a call that asks for a state has waited for it."""
_PAUSES = late(
    r"wait|sleep|delay|block|timeout|yield|pause|duration|(?:^|_)(?:seconds|secs?|millis|ms)(?:$|_)", re.IGNORECASE
)


def waits(actions: Sequence[Action]) -> Iterator[Action]:
    """The actions of a lane that only waited. The first look at something isn't one of them."""
    asked: set[str] = set()
    for action in actions:
        if action.harness:
            continue
        if action.after_user or action.kind not in LEAVES:
            asked.clear()
        if action.kind is not Kind.WAIT:
            continue
        # A command is a wait only where it waits: its kind has that from the calls before it.
        if action.operation.commands or action.keys.call in asked or _pauses(action):
            yield action
        asked.add(action.keys.call)


def _pauses(action: Action) -> bool:
    """Whether a call of a tool was to wait by itself, or took as long as a wait."""
    if action.duration is not None and action.duration >= _LONG:
        return True
    named = action.arguments if isinstance(action.arguments, Mapping) else {}
    return _PAUSES.search(action.tool) is not None or any(
        _PAUSES.search(str(name)) is not None and value not in (False, 0, None, "") for name, value in named.items()
    )
