"""A session as spans of OpenTelemetry: one of the agent, one per answer of the model, one per call with its status."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from analyzer.export.own import Turn, turns
from analyzer.model.session import Compaction, Message, Session
from tests.dress.forms import clock

Json = dict[str, Any]


def written(session: Session) -> bytes:
    """The export as one JSON object."""
    entries = [event for event in turns(session) if not isinstance(event, Compaction)]
    spans = [_span("root", 0, len(entries) + 1, {"gen_ai.operation.name": "invoke_agent"}, "")]
    heard: list[Message] = []
    for number, event in enumerate(entries, 1):
        if isinstance(event, Turn):
            if heard:
                spans.append(_model(number, heard))
            heard = []
            spans.append(_tool(number, event))
        else:
            heard.append(event)
    if heard:
        spans.append(_model(len(entries) + 1, heard))
    resource = {"attributes": [_attribute("service.name", session.agent or "agent")]}
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]}).encode()


def _tool(number: int, turn: Turn) -> Json:
    arguments, result = turn.call.arguments, turn.result
    text = arguments if isinstance(arguments, str) else json.dumps(dict(arguments))
    attributes: dict[str, str] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": turn.call.name,
        "gen_ai.tool.call.id": f"call-{number}",
        "gen_ai.tool.call.arguments": text,
    }
    if result is None:
        return _span(f"s{number}", number, number, attributes)
    attributes["gen_ai.tool.call.result"] = result.text
    failed = result.is_error if result.is_error is not None else None
    if failed is None and result.exit_code is not None:
        failed = result.exit_code != 0
    status = {} if failed is None else {"status": {"code": 2 if failed else 1}}
    return _span(f"s{number}", number, number, attributes) | status


def _model(number: int, heard: Sequence[Message]) -> Json:
    given = [_said(one) for one in heard if one.role != "assistant"]
    answer = [_said(one) for one in heard if one.role == "assistant"]
    attributes = {"gen_ai.operation.name": "chat"}
    if given:
        attributes["gen_ai.input.messages"] = json.dumps(given)
    if answer:
        attributes["gen_ai.output.messages"] = json.dumps(answer)
    return _span(f"m{number}", number, number, attributes)


def _said(message: Message) -> Json:
    kind = "reasoning" if message.thought else "text"
    role = message.role if message.role in ("user", "assistant", "system") else "system"
    return {"role": role, "parts": [{"type": kind, "content": message.text}]}


def _span(name: str, start: int, end: int, attributes: dict[str, str], parent: str = "root") -> Json:
    return {
        "traceId": "t1",
        "spanId": name,
        "parentSpanId": parent,
        "name": name,
        "startTimeUnixNano": clock.nanoseconds(2 * start),
        "endTimeUnixNano": clock.nanoseconds(2 * end + 1),
        "attributes": [_attribute(key, value) for key, value in attributes.items()],
    }


def _attribute(key: str, value: str) -> Json:
    return {"key": key, "value": {"stringValue": value}}
