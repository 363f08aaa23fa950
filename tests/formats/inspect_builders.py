"""Small Inspect logs for tests: messages, events, samples, and archives of any packing."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]
DEFLATE, ZSTD = 8, 93


def clock(second: int) -> str:
    return f"2026-01-02T03:04:{second:02d}+00:00"


def user(text: object, message_id: str = "u", **more: Any) -> Json:
    return {"id": message_id, "role": "user", "content": text} | more


def answer(text: object, *calls: Json, message_id: str = "a", **more: Any) -> Json:
    return {
        "id": message_id,
        "role": "assistant",
        "source": "generate",
        "content": text,
        "tool_calls": list(calls),
    } | more


def asked(call_id: str, function: str = "bash", **arguments: Any) -> Json:
    return {"id": call_id, "function": function, "arguments": arguments, "type": "function"}


def came(call_id: str, content: object, message_id: str = "t", **more: Any) -> Json:
    return {"id": message_id, "role": "tool", "tool_call_id": call_id, "function": "bash", "content": content} | more


def model(second: int, given: list[Any], said: Json | None, span: str | None = None, **more: Any) -> Json:
    output: Json = {"model": "m", "choices": [{"message": said, "stop_reason": "stop"}] if said else []}
    event = {
        "event": "model",
        "uuid": f"m{second}",
        "timestamp": clock(second),
        "model": "some/model",
        "input": given,
        "output": output,
    }
    return event | ({"span_id": span} if span else {}) | more


def tool(second: int, call_id: str, result: object = "ok", span: str | None = None, **more: Any) -> Json:
    event = {
        "event": "tool",
        "uuid": f"t{second}",
        "timestamp": clock(second),
        "completed": clock(second + 1),
        "id": call_id,
    }
    return event | {"function": "bash", "arguments": {}, "result": result} | ({"span_id": span} if span else {}) | more


def begin(span: str, kind: str, parent: str | None = None, name: str = "x") -> Json:
    return {
        "event": "span_begin",
        "id": span,
        "span_id": span,
        "parent_id": parent,
        "type": kind,
        "name": name,
        "timestamp": clock(0),
    }


def end(span: str) -> Json:
    return {"event": "span_end", "id": span, "span_id": span, "timestamp": clock(0)}


def sample(*events: object, **rest: Any) -> Json:
    return {"id": "s", "epoch": 1, "input": "Do it.", "target": "x", "messages": [], "events": list(events)} | rest


def log(*samples: object, **rest: Any) -> Json:
    spec = {"task": "shelf", "model": "some/model", "packages": {"inspect_ai": "0.3.1"}}
    return {
        "version": 2,
        "status": "success",
        "eval": spec,
        "plan": {"steps": [{"solver": "react"}]},
        "samples": list(samples),
    } | rest


def archive(members: Mapping[str, object], packing: int = DEFLATE) -> bytes:
    """Pack the members; the values are written as JSON, bytes as they are."""
    if sys.version_info >= (3, 14):
        import zipfile
    else:
        from backports.zstd import zipfile

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as packed:
        for name, value in members.items():
            packed.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return buffer.getvalue()
