"""Messages and results that a recorder blanked out: they were there, and their words aren't recorded."""

from __future__ import annotations

from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.text.plain import is_blanked, is_hollow

_FEWEST = 4
"""Calls without arguments or a result that an agent hardly makes, to tools that take nothing and return nothing."""


def forget_blanked(session: Session) -> None:
    """Take what a recorder put in the place of a text for no words of anybody, and for no result of a call."""
    session.task = _known(session.task)
    session.title, session.agent, session.model = map(_known, (session.title, session.agent, session.model))
    session.agent_version = _known(session.agent_version)
    session.environment = {label: text for label, text in session.environment.items() if not is_blanked(text)}
    hollow = _keeps_only_names(session)
    kept = []
    for event in session.events:
        if isinstance(event, Message) and is_blanked(event.text):
            event.text, event.unrecorded = "", True
        elif isinstance(event, ToolResult) and (is_blanked(event.text) or (hollow and is_hollow(event.text))):
            event.unrecorded = True
            if event.is_error is None and event.exit_code is None and event.mark is None:
                continue
        elif isinstance(event, ToolCall):
            event.model = _known(event.model)
        kept.append(event)
    if len(kept) < len(session.events):
        session.events[:] = kept


def _keeps_only_names(session: Session) -> bool:
    """Whether all that the log holds of its calls is that they were made: none has arguments, and no result says
    anything, among as many as no agent makes to tools that take nothing and return nothing."""
    calls = [event for event in session.events if isinstance(event, ToolCall) and not event.harness]
    results = [event.text for event in session.events if isinstance(event, ToolResult)]
    if len(calls) < _FEWEST or len({call.name for call in calls}) < 2 or not results:
        return False
    return not any(call.arguments for call in calls) and all(map(is_hollow, results))


def _known(text: str | None) -> str | None:
    return None if text is not None and is_blanked(text) else text
