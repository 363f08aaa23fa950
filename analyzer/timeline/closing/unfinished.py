"""The call with which a recording breaks off."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.action import Action
from analyzer.model.session import Event, Message, ToolCall
from analyzer.model.words import MAIN_LANE, Kind, Status


def unfinished(events: Sequence[Event], actions: Sequence[Action]) -> Action | None:
    """The last call of the main lane, where the recording ends with it and it has no result: its
    log calls it unfinished, or every earlier call of its tool came back. None where results of such calls aren't
    recorded, or where the call ends the session."""
    call = next((event for event in reversed(events) if not isinstance(event, Message) or not event.thought), None)
    if not isinstance(call, ToolCall) or call.lane != MAIN_LANE or call.harness:
        return None
    own = [action for action in actions if action.lane == MAIN_LANE]
    last = own[-1]
    if last.result is not None or last.status is not Status.UNKNOWN or last.kind is Kind.FINISH:
        return None
    if call.unfinished:
        return last
    others = [action for action in own[:-1] if action.tool == last.tool] or own[:-1]
    if last.batch is not None:
        others = [action for action in others if action.batch != last.batch]
    return last if others and all(action.result is not None for action in others) else None
