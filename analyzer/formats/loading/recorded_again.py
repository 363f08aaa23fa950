"""Calls that a log holds several times though they have one result: some write an answer down again whenever a call of
it is added."""

from __future__ import annotations

from collections import Counter

from analyzer.formats.record.usage import together
from analyzer.model.session import Event, Session, ToolCall, ToolResult
from analyzer.text.plain import is_blanked

_LEAST_ID = 6
"""Characters of an id that was made to tell calls apart: shorter ones are counters, which begin again."""


def drop_recorded_again(session: Session) -> None:
    """Keep the first record of a call that is there again with its id, its name and its arguments.

    Ids that were blanked out, and those of which there is no result or one for each call, tell no calls apart.
    """
    results = Counter((event.lane, event.call_id) for event in session.events if isinstance(event, ToolResult))
    made: dict[tuple[str, str | None], ToolCall] = {}
    kept: list[Event] = []
    for event in session.events:
        if isinstance(event, ToolCall) and event.id is not None:
            key = (event.lane, event.id)
            first = made.get(key)
            known = first is not None and (first.name, first.arguments) == (event.name, event.arguments)
            if first is not None and known and results[key] == 1 and _tells_apart(event.id):
                if event.usage is not None:
                    first.usage = together(first.usage, event.usage)
                continue
            made[key] = event
        kept.append(event)
    if len(kept) < len(session.events):
        session.events[:] = kept


def _tells_apart(call_id: str) -> bool:
    return len(call_id) >= _LEAST_ID and not is_blanked(call_id)
