"""ATIF trajectories, and short views of what was read, for the tests of the format."""

from __future__ import annotations

from typing import Any

from analyzer.formats.atif.format import FORMAT
from analyzer.model.session import Message, Session, ToolResult
from tests.formats.reading import taken_by

Json = dict[str, Any]


def trajectory(*steps: object, **rest: Any) -> Json:
    return {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "clerk"}, "steps": list(steps)} | rest


def said(source: str, message: object, **more: Any) -> Json:
    return {"step_id": 1, "source": source, "message": message} | more


def call(call_id: str, name: str = "look", **arguments: Any) -> Json:
    return {"tool_call_id": call_id, "function_name": name, "arguments": arguments}


def came(*results: Json) -> Json:
    return {"results": list(results)}


def result(content: object, call_id: str | None = None, **more: Any) -> Json:
    return {"content": content} | ({"source_call_id": call_id} if call_id else {}) | more


def sessions(value: object, name: str = "trajectory.json") -> list[Session]:
    return taken_by(FORMAT, value, name)


def session_of(*steps: object, **rest: Any) -> Session:
    (session,) = sessions(trajectory(*steps, **rest))
    return session


def calls(session: Session) -> list[tuple[str | None, str, object]]:
    return [(call.id, call.name, call.arguments) for call in session.calls()]


def results(session: Session) -> list[tuple[str | None, str]]:
    return [(event.call_id, event.text) for event in session.events if isinstance(event, ToolResult)]


def words(session: Session) -> list[tuple[str, str, str]]:
    return [(event.role, event.text, event.lane) for event in session.events if isinstance(event, Message)]
