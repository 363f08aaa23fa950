"""Messages and results that a recorder blanked out: they were there, and their words aren't recorded."""

from __future__ import annotations

from analyzer.model.session import Message, Session, ToolResult
from analyzer.text.blanked import is_blanked


def forget_blanked(session: Session) -> None:
    """Take what a recorder put in the place of a text for no words of anybody, and for no result of a call."""
    session.task = _known(session.task)
    session.title = _known(session.title)
    kept = []
    for event in session.events:
        if isinstance(event, Message) and is_blanked(event.text):
            event.text, event.unrecorded = "", True
        elif isinstance(event, ToolResult) and is_blanked(event.text):
            event.text = ""
            if event.is_error is None and event.exit_code is None and event.mark is None:
                continue
        kept.append(event)
    if len(kept) < len(session.events):
        session.events[:] = kept


def _known(text: str | None) -> str | None:
    return None if text is not None and is_blanked(text) else text
