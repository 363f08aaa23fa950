"""Short views of a session's events, for the tests of the formats."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.model.session import Compaction, Message, Session, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Mark

Result = tuple[str, bool | None, int | None, Mark | None]
"""Text, error flag, exit code and mark."""


def calls(session: Session, lane: str = MAIN_LANE) -> list[tuple[str, object]]:
    """Name and arguments of the calls of one lane."""
    return [(call.name, call.arguments) for call in session.calls() if call.lane == lane]


def calls_in(session: Session) -> list[ToolCall]:
    """The calls of all lanes."""
    return list(session.calls())


def results_in(session: Session) -> list[ToolResult]:
    """The results of all lanes."""
    return [event for event in session.events if isinstance(event, ToolResult)]


def results(session: Session) -> list[Result]:
    """What is recorded of every result."""
    return [
        (event.text, event.is_error, event.exit_code, event.mark)
        for event in session.events
        if isinstance(event, ToolResult)
    ]


def answered(session: Session) -> list[tuple[str, str | None]]:
    """The name of every call with the text of the result that names it, or None."""
    texts = {event.call_id: event.text for event in session.events if isinstance(event, ToolResult) and event.call_id}
    return [(call.name, texts.get(call.id) if call.id else None) for call in session.calls()]


def words(session: Session) -> list[tuple[str, str]]:
    """Role and text of every message; a thought's role is `thought`."""
    return [
        ("thought" if event.thought else event.role, event.text)
        for event in session.events
        if isinstance(event, Message)
    ]


def order(session: Session) -> str:
    """The kinds of the events in file order: m(essage), c(all), r(esult), x (compaction)."""
    letters = {Message: "m", ToolCall: "c", ToolResult: "r", Compaction: "x"}
    return "".join(letters[type(event)] for event in session.events)


def told(session: Session, call: Callable[[ToolCall], str | None]) -> list[str]:
    """What happened, in order, one line each; `call` says how a call is named."""
    found = []
    for event in session.events:
        lane = "" if event.lane == MAIN_LANE else f"@{event.lane}"
        if isinstance(event, Message):
            found.append(f"{event.role}{'?' if event.thought else ''}: {event.text}{lane}")
        elif isinstance(event, ToolCall):
            found.append(f"-> {call(event)}{lane}")
        elif isinstance(event, ToolResult):
            found.append(f"<- {event.text}{lane}")
        else:
            found.append(f"compaction{lane}")
    return found
