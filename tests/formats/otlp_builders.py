"""Spans of OpenTelemetry exports, and short views of what was read, for the tests of the format."""

from __future__ import annotations

import json
from typing import Any

from analyzer.formats.otlp.format import FORMAT
from analyzer.model.session import Session
from tests.formats.events import told
from tests.formats.reading import taken_by

Json = dict[str, Any]

START = 1_763_541_000

AGENT: Json = {"gen_ai.operation.name": "invoke_agent"}

MODEL: Json = {"gen_ai.operation.name": "chat"}

TOOL: Json = {"gen_ai.operation.name": "execute_tool"}


def typed(value: object) -> Json:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [typed(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": typed(item)} for key, item in value.items()]}}
    return {"stringValue": value}


def span(name: str, start: int, attributes: Json, parent: str = "", **rest: Any) -> Json:
    times = {"startTimeUnixNano": f"{START + start}000000000", "endTimeUnixNano": f"{START + start + 1}000000000"}
    keys = [{"key": key, "value": typed(value)} for key, value in attributes.items()]
    return {"traceId": "t1", "spanId": name, "parentSpanId": parent, "name": name, "attributes": keys} | times | rest


def tool(
    name: str, start: int, parent: str = "", *, call_id: str | None = None, result: object = "ok", **rest: Any
) -> Json:
    attributes = TOOL | {"gen_ai.tool.name": name.partition("-")[0], "gen_ai.tool.call.arguments": '{"x": 1}'}
    attributes |= {} if call_id is None else {"gen_ai.tool.call.id": call_id}
    return span(
        name, start, attributes | ({} if result is None else {"gen_ai.tool.call.result": result}), parent, **rest
    )


def model(name: str, start: int, parent: str = "", *, given: object = None, answer: object = None, **more: Any) -> Json:
    attributes = MODEL | {key.replace("__", "."): value for key, value in more.items()}
    attributes |= {} if given is None else {"gen_ai.input.messages": json.dumps(given)}
    return span(
        name, start, attributes | ({} if answer is None else {"gen_ai.output.messages": json.dumps([answer])}), parent
    )


def text(role: str, words: str, *parts: Json) -> Json:
    return {"role": role, "parts": [{"type": "text", "content": words}, *parts]}


def asked(call_id: str | None, name: str) -> Json:
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": {"x": 1}}


def export(*spans: object, **resource: Any) -> Json:
    attributes = [{"key": key.replace("__", "."), "value": typed(value)} for key, value in resource.items()]
    return {"resourceSpans": [{"resource": {"attributes": attributes}, "scopeSpans": [{"spans": list(spans)}]}]}


def sessions(value: object) -> list[Session]:
    return taken_by(FORMAT, value, "traces.json")


def session_of(*spans: object, **resource: Any) -> Session:
    (session,) = sessions(export(*spans, **resource))
    return session


def lines_of(session: Session) -> list[str]:
    """What happened, in order, one word each: calls by their names."""
    return told(session, lambda call: call.name)
