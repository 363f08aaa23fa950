"""Spans that single producers write under names of their own."""

from __future__ import annotations

import json
from typing import Any

from analyzer.model.session import Tokens, ToolCall
from tests.formats.otlp_builders import Json, lines_of, sessions


def phoenix(name: str, kind: str, number: int, parent: str | None, attributes: Json, **rest: Any) -> Json:
    return {
        "id": f"row-{number}",
        "name": name,
        "context": {"trace_id": "t1", "span_id": f"s{number}"},
        "span_kind": kind,
        "parent_id": parent,
        "start_time": f"2026-01-02T03:04:{number:02}+00:00",
        "end_time": f"2026-01-02T03:04:{number:02}.5+00:00",
        "status_code": "OK",
        "status_message": "",
        "attributes": attributes,
        "events": [],
        **rest,
    }


def test_the_kind_of_a_span_beside_its_attributes() -> None:
    (session,) = sessions(
        [
            phoenix("turn", "AGENT", 1, None, {"input.value": "Count them."}),
            phoenix("some-model", "LLM", 2, "s1", {"llm.token_count.prompt": 9, "llm.token_count.completion": 2}),
            phoenix("count", "TOOL", 3, "s1", {"tool.name": "count", "input.value": '{"of": "rates"}'}),
            phoenix("count", "TOOL", 4, "s1", {"output.value": "3"}, status_code="ERROR", status_message="too many"),
            phoenix("chain", "CHAIN", 5, "s1", {}),
        ]
    )
    assert lines_of(session) == ["user: Count them.", "-> count", "<- ", "-> count", "<- 3\ntoo many"]
    assert session.tokens == Tokens(9, 2)


def test_spans_that_say_in_events_what_went_in_and_came_out() -> None:
    def span(kind: str, number: int, given: object, answer: object, **attributes: object) -> Json:
        events = [
            {"name": "data.input", "attributes": {"input": given}},
            {"name": "data.output", "attributes": {"response": answer}},
            {"name": "metadata", "attributes": {"prompt_tokens": "9", "completion_tokens": "2"}},
        ]
        known = {"monocle_apptrace.version": "0.8", "span.type": kind, "scope.agentic.session": "talk"}
        row = phoenix(kind, "", number, "s1" if number > 1 else None, {**known, **attributes}, events=events)
        row |= {"end_time": "2026-01-02T03:04:09+00:00"} if number == 1 else {}
        return {key: value for key, value in row.items() if key != "span_kind"} | {"kind": "SpanKind.INTERNAL"}

    reply = json.dumps({"ai": [{"type": "function_call", "name": "ls", "call_id": "c1", "arguments": '{"path": "/"}'}]})
    state = "{'path': '/', 'runtime': State(" + "x" * 3_000 + ")}"
    (session,) = sessions(
        [
            span("agentic.invocation", 1, '["Look around."]', "Nothing.", **{"entity.1.name": "helper"}),
            span("inference.framework", 2, "['{}']", reply, **{"entity.2.name": "some-model"}),
            span("agentic.tool.invocation", 3, state, "a b", **{"entity.1.name": "ls"}),
            span("workflow", 4, None, None),
        ]
    )
    assert (session.id, session.agent, session.model) == ("talk", "helper", "some-model")
    assert lines_of(session) == ["user: Look around.", "-> ls", "<- a b", "assistant: Nothing."]
    assert [event.arguments for event in session.events if isinstance(event, ToolCall)] == [{"path": "/"}]
    assert session.tokens == Tokens(9, 2)
