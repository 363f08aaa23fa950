"""Where a recording begins: with the session, or after a compaction of what came before."""

from __future__ import annotations

from analyzer.model.session import Compaction, Message, Session, ToolCall
from analyzer.model.words import MAIN_LANE


def cut_before(session: Session) -> int | None:
    """The place of the compaction before which the recording has nothing of the agent; None where it has, or where
    there's no compaction."""
    for place, event in enumerate(session.events):
        if event.lane != MAIN_LANE:
            continue
        if isinstance(event, Compaction):
            return place
        if isinstance(event, ToolCall) or (isinstance(event, Message) and event.role == "assistant"):
            return None
    return None
