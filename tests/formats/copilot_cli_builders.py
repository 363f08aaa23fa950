"""Events of Copilot CLI's logs, and sessions read from them, for its tests."""

from __future__ import annotations

from typing import Any

from analyzer.model.session import Session
from tests.formats.reading import lines, session_in

Json = dict[str, Any]


def event(number: int, kind: str, /, **data: object) -> Json:
    return {
        "type": kind,
        "data": data,
        "id": f"e{number}",
        "timestamp": f"2026-02-01T10:00:{number:02d}.000Z",
        "parentId": None,
    }


def request(call_id: str | None, name: str = "bash", **arguments: object) -> Json:
    return {"toolCallId": call_id, "name": name, "arguments": arguments}


def said(number: int, content: str = "", *requests: Json, **more: object) -> Json:
    return event(
        number, "assistant.message", messageId=f"m{number}", content=content, toolRequests=list(requests), **more
    )


def started(number: int, call_id: str, name: str = "bash", **more: object) -> Json:
    return event(number, "tool.execution_start", toolCallId=call_id, toolName=name, arguments={"command": "ls"}, **more)


def ended(number: int, call_id: str | None, text: str = "", **more: object) -> Json:
    return event(
        number, "tool.execution_complete", toolCallId=call_id, **{"success": True, "result": {"content": text}, **more}
    )


def shutdown(number: int, **models: tuple[int, int, int]) -> Json:
    metrics = {
        model: {"usage": {"inputTokens": sent, "outputTokens": out, "cacheReadTokens": cached}}
        for model, (sent, out, cached) in models.items()
    }
    return event(number, "session.shutdown", shutdownType="routine", modelMetrics=metrics)


def session_of(*records: object) -> Session:
    return session_in(lines(*records), "copilot-cli")
