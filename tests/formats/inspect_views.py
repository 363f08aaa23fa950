"""Inspect logs as sessions, and short views of them, for the tests of the format."""

from __future__ import annotations

from typing import Any

from analyzer.formats.inspect_ai.format import FORMAT
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from tests.formats.inspect_builders import answer, asked, log, model, sample, tool
from tests.formats.reading import taken_by


def sessions(value: object) -> list[Session]:
    return taken_by(FORMAT, value, "log.json")


def session_of(*events: object, **rest: Any) -> Session:
    (session,) = sessions(log(sample(*events, **rest)))
    return session


def lines_of(session: Session) -> list[str]:
    """What happened, in order, one word each."""
    found = []
    for event in session.events:
        lane = "" if event.lane == "main" else f"@{event.lane}"
        if isinstance(event, Message):
            found.append(f"{event.role}{'?' if event.thought else ''}: {event.text}{lane}")
        elif isinstance(event, ToolCall):
            found.append(f"-> {event.id}{lane}")
        elif isinstance(event, ToolResult):
            found.append(f"<- {event.text}{lane}")
        else:
            found.append(f"compaction{lane}")
    return found


SUBMIT = [model(1, [], answer("", asked("c", "submit", answer="x"))), tool(2, "c", "x", function="submit")]
